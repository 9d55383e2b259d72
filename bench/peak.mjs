import { readFileSync } from "node:fs";

/**
 * The most memory that this process has held, in MB. On Linux the figure of getrusage outlives exec, so that a child
 * would report its parent's; the kernel's own high-water mark does not.
 */
export function peakMb() {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    if (kilobytes !== undefined) return Number(kilobytes) / 1024;
  } catch {
    // not Linux
  }
  return process.resourceUsage().maxRSS / 1024;
}
