import { closeSync, ftruncateSync, openSync, renameSync, writeFileSync, writeSync } from "node:fs";

export type SaveKind = "in place" | "in place, cut after opening" | "by rename";

/** Each way to save; `scratch` is a folder on the same file system. */
export const SAVES: Readonly<
  Record<SaveKind, (place: { readonly file: string; readonly scratch: string }, text: string) => void>
> = {
  "in place": ({ file }, text) => writeFileSync(file, text),
  "in place, cut after opening": ({ file }, text) => {
    const fd = openSync(file, "r+");
    ftruncateSync(fd);
    writeSync(fd, text);
    closeSync(fd);
  },
  "by rename": ({ file, scratch }, text) => {
    const temp = `${scratch}/edited`;
    writeFileSync(temp, text);
    renameSync(temp, file);
  },
};
