import type { Chance } from "../../support/chance.ts";
import type { DamageStage } from "./damage-stage.ts";

/** One way to spoil an index, or what stands beside it; says what it did. */
export type Mutation = (stage: DamageStage, chance: Chance) => string;

export function flip(bytes: Buffer, at: number, bit: number): void {
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
}

export function garbage(length: number, chance: Chance): Buffer {
  return Buffer.from(Uint8Array.from({ length }, () => chance.upTo(256)));
}
