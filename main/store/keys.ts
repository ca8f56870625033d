/** Small integers, only good inside one database; ids are UUIDv7 and may leave it. */

export type PhotoKey = number;
export type StatementKey = number;
export type RunKey = number;
