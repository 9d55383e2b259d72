import type { Database, SqlValue, Statement } from "./engine.ts";

const KEPT = 64;

/** Prepared statements by their text, each prepared once. */
export interface Statements {
  all(sql: string, values?: readonly SqlValue[]): SqlValue[][];
  one(sql: string, values?: readonly SqlValue[]): SqlValue[] | undefined;
  run(sql: string, values?: readonly SqlValue[]): void;
  /** Before the engine exports its image or closes. */
  clear(): void;
}

export function createStatements(db: Database): Statements {
  const kept = new Map<string, Statement>();

  function ready(sql: string, values: readonly SqlValue[]): Statement {
    let statement = kept.get(sql);
    if (statement === undefined) {
      if (kept.size >= KEPT) clear();
      statement = db.prepare(sql);
      kept.set(sql, statement);
    }
    statement.bind(values);
    return statement;
  }

  function clear(): void {
    for (const statement of kept.values()) statement.free();
    kept.clear();
  }

  return {
    clear,
    all(sql, values = []) {
      const statement = ready(sql, values);
      try {
        const rows: SqlValue[][] = [];
        while (statement.step()) rows.push(statement.get());
        return rows;
      } finally {
        statement.reset();
      }
    },
    one(sql, values = []) {
      const statement = ready(sql, values);
      try {
        return statement.step() ? statement.get() : undefined;
      } finally {
        statement.reset();
      }
    },
    run(sql, values = []) {
      const statement = ready(sql, values);
      try {
        statement.step();
      } finally {
        statement.reset();
      }
    },
  };
}
