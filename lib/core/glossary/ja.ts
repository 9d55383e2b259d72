export const JA = "";
