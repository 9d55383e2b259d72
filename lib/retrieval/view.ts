import type { Context } from "../core/context.ts";
import type { Catalog } from "../indexing/catalog.ts";
import type { Place } from "../vault/place.ts";
import type { Vault } from "../vault/vault.ts";
import type { RowReader } from "./row-words.ts";

/** What every question is asked of: one vault, its catalog, and the reading path of whoever asks. */
export interface View {
  readonly vault: Vault;
  readonly catalog: Catalog;
  readonly context: Context;
  readonly fingerprint: string;
  readonly reader: RowReader;
}

/** The places that the asker sees, first wins (design 2). */
export function readingPlaces(view: View): Place[] {
  return view.vault.readingPath(view.fingerprint);
}

export function placeIds(view: View): string[] {
  return readingPlaces(view).map((place) => place.id);
}
