export const Logo = () => (
  <svg
    viewBox="0 0 18 18"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.8"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <rect x="1.5" y="2.5" width="15" height="13" rx="2.5" />
    <path d="m5.5 9.2 2.4 2.4 4.8-5.4" />
  </svg>
);
