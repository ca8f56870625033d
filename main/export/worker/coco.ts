/**
 * COCO (cocodataset.org, "Data format"): statements are categories, and each verdict is an annotation of a whole image,
 * so that it has no box, but the effective label and a score, p of that label as calibrated.
 */
import type { ExportReader, ExportRow } from '../../store/sql/read-export.ts';
import type { Written } from '../write.ts';

/** One list of the document, written as it is read. */
function* listed<T>(pages: Iterable<readonly T[]>, toJson: (item: T) => unknown, counted: boolean): Generator<Written> {
  let first = true;
  for (const page of pages) {
    const lines = page.map((item) => JSON.stringify(toJson(item)));
    yield { text: `${first ? '\n' : ',\n'}${lines.join(',\n')}`, rows: counted ? page.length : 0 };
    first = false;
  }
}

/** A person's decision is certain; a verdict that leans elsewhere than its label (graded low) says nothing of the label. */
const scoreOf = ({ reviewed, effectiveLabel, lean, confidence }: ExportRow): number | null => {
  if (reviewed) return 1;
  return lean === effectiveLabel ? confidence : null;
};

const toAnnotation = () => {
  let id = 0;
  return (row: ExportRow) => ({
    id: ++id,
    image_id: row.photoKey,
    category_id: row.statementKey,
    label: row.effectiveLabel,
    score: scoreOf(row),
    grade: row.grade,
    lean: row.lean,
    confidence: row.confidence,
    reviewed: row.reviewed,
    verdict: row.id,
  });
};

export function* coco(reader: ExportReader, pageSize: number): Generator<Written> {
  const info = { description: 'Verdicts of Vouch: image-level labels with scores', date_created: new Date() };
  yield { text: `{"info": ${JSON.stringify(info)},\n"licenses": [],\n"images": [`, rows: 0 };
  yield* listed(
    reader.photos(pageSize),
    ({ key, id, path, width, height, takenAt }) => ({
      ...{ id: key, file_name: path, width, height, date_captured: takenAt, photo: id },
    }),
    false,
  );
  yield { text: '],\n"categories": [', rows: 0 };
  yield* listed(
    [reader.statements()],
    ({ key, id, text, set, tag }) => ({ id: key, name: text, supercategory: set, tag, statement: id }),
    false,
  );
  yield { text: '],\n"annotations": [', rows: 0 };
  yield* listed(reader.rows(pageSize), toAnnotation(), true);
  yield { text: ']}\n', rows: 0 };
}
