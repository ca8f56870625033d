/**
 * Sidecars of our own making: nothing but keywords, as dc:subject and lr:hierarchicalSubject (XMP specification, parts
 * 1 and 2). A file that reads exactly as we would write it is ours alone, and can be written anew without a parser.
 */

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeXml = (text: string): string => text.replace(/[&<>]/g, (sign) => escapes[sign]!);
const unescapeXml = (text: string): string =>
  text.replace(/&(?:amp|lt|gt);/g, (entity) => Object.keys(escapes).find((sign) => escapes[sign] === entity)!);

const bag = (name: string, keywords: readonly string[]): string =>
  `   <${name}>\n    <rdf:Bag>\n` +
  keywords.map((keyword) => `     <rdf:li>${escapeXml(keyword)}</rdf:li>\n`).join('') +
  `    </rdf:Bag>\n   </${name}>\n`;

/** Keywords are sorted, so that the same ones always make the same bytes. */
export const sidecarText = (keywords: Iterable<string>): string => {
  const sorted = [...new Set(keywords)].sort();
  return (
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n' +
    '<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Vouch">\n' +
    ' <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n' +
    '  <rdf:Description rdf:about=""\n' +
    '    xmlns:dc="http://purl.org/dc/elements/1.1/"\n' +
    '    xmlns:lr="http://ns.adobe.com/lightroom/1.0/">\n' +
    bag('dc:subject', sorted) +
    bag('lr:hierarchicalSubject', sorted) +
    '  </rdf:Description>\n </rdf:RDF>\n</x:xmpmeta>\n<?xpacket end="w"?>\n'
  );
};

/** The keywords of a sidecar that is ours alone; null for any other. */
export const ownKeywords = (text: string): readonly string[] | null => {
  const items = [...text.matchAll(/^ {5}<rdf:li>(.*)<\/rdf:li>$/gm)].map((match) => unescapeXml(match[1]!));
  const keywords = [...new Set(items)];
  return sidecarText(keywords) === text ? keywords : null;
};
