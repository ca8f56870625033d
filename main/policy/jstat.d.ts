/** The little of jstat that is used; it ships no types of its own. */
declare module 'jstat' {
  const jstat: {
    readonly jStat: {
      readonly binomial: { readonly cdf: (k: number, n: number, p: number) => number };
      readonly normal: { readonly inv: (p: number, mean: number, deviation: number) => number };
    };
  };
  export default jstat;
}
