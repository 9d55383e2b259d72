/** Blocks for this long; for the few waits of synchronous code. */
export function pauseMs(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
