import type { Listing } from "../../hosts/listing.ts";
import type { Alike } from "./alike.ts";

export interface DemoFolder {
  readonly dir: string;
  /** How a person would write it: with `~`, or from the repository. */
  readonly shown: string;
  readonly skills: number;
  readonly unreadable: number;
  /** Ids of the hosts that read it. */
  readonly hosts: readonly string[];
}

/** A host, or who else reads skills and says no. */
export interface DemoReader {
  readonly host: string;
  readonly title: string;
  /** Whether it is a host that has a folder of its own here, or one of the demo. */
  readonly present: boolean;
  /** Skills in the folders that it reads. */
  readonly skills: number;
  readonly refused: number;
  /** Codes of what it refuses, with how many skills, most first. */
  readonly reasons: readonly { readonly code: string; readonly skills: number }[];
  readonly listing: Listing | null;
}

export interface DemoSearch {
  readonly query: string;
  readonly ms: number;
  readonly hits: readonly { readonly name: string; readonly description: string }[];
}

/** What `canonry demo` found. */
export interface DemoReport {
  /** `own`: skills of this user or repository; `demo`: there are none, so those that come with Canonry. */
  readonly source: "own" | "demo";
  readonly skills: number;
  /** Skills whose name and text stand in several folders. */
  readonly copies: number;
  readonly folders: readonly DemoFolder[];
  readonly readers: readonly DemoReader[];
  readonly alike: readonly Alike[];
  readonly searches: readonly DemoSearch[];
  readonly next: readonly { readonly command: string; readonly says: string }[];
  /** Of the index, and of all. */
  readonly indexMs: number;
  readonly ms: number;
}
