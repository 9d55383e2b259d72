export const KO = "";
