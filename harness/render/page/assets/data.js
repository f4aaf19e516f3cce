// The JSON of report.html, unpacked: words by their index, cases and checks as rows of one list.

const data = JSON.parse(document.getElementById('data').textContent);
export const { verdicts, symbols, matrix, requirements, expectations, findings } = data;

const text = (index) => data.texts[index] ?? '';
const texts = (indices = []) => indices.map(text);
const { authorization: _always, ...ownHeaders } = matrix.headers;
/** What cases are named by besides their token. */
export const NAMED = [...Object.keys(ownHeaders), 'authorization', 'header-case', 'body'];
/** The dimensions of the cells of the picture, as in matrix-picture.ts. */
export const axes = [...Object.keys(ownHeaders), 'authorization', 'body'].slice(0, 2);

/** The values that the id of a case stands for. An id leaves out the values of a well-made request. */
export function valuesOf([operation, kind, ...parts]) {
  const ordinary = { authorization: matrix.kinds[kind] === 'none' ? 'absent' : 'bearer' };
  const values = { operation, kind, ...ordinary, 'header-case': 'documented', body: 'valid' };
  for (const part of parts) {
    const [name, value] = part.split(/:(.*)/s);
    if (NAMED.includes(name)) values[name] = value;
    else if (values.validity === undefined) values.validity = part;
    else values.holding = part;
  }
  return values;
}

const stepsOf = (steps = []) =>
  steps.map(([failed, shows, wanted, curl, response]) => ({
    failed: failed === 1,
    shows: text(shows),
    wanted: text(wanted),
    curl: texts(curl).join(' '),
    response: texts(response).join('\n'),
  }));

const caseRows = data.cases.map(
  ([id, verdict, expectation, sent, credential, got, wanted, reason, attribution, ms, response, curl, steps]) => {
    const parts = texts(id);
    return {
      id: parts.join('/'),
      address: parts.join('/'),
      verdict: verdicts[verdict],
      // Reading the values of twenty thousand ids takes longer than everything else, and most are never needed.
      get values() {
        this.readValues ??= valuesOf(parts);
        return this.readValues;
      },
      expectation: expectations[expectation],
      sent,
      credential: text(credential),
      got: text(got),
      wanted: text(wanted) || expectations[expectation].wanted,
      reason: text(reason),
      attribution: text(attribution) || expectations[expectation].attribution,
      ms: ms < 0 ? undefined : ms,
      response: response < 0 ? undefined : texts(data.responses[response]).join('\n'),
      curl: texts(curl).join(' '),
      get steps() {
        return stepsOf(steps);
      },
    };
  },
);
const checkRows = data.checks.map(([id, verdict, detail, attribution, curl, steps]) => {
  const [check, requirement, operation, kind] = texts(id);
  return {
    id: [check, operation, kind].join('/'),
    address: [check, operation, kind, requirement].join('/'),
    verdict: verdicts[verdict],
    values: { operation, kind },
    check,
    expectation: { requirements: [requirement] },
    got: text(detail),
    attribution: text(attribution),
    curl: texts(curl).join(' '),
    steps: stepsOf(steps),
  };
});

/** The row with an address. The id of a check alone leads to the first of its rows. */
export function rowAt(address) {
  return rows.find((row) => row.address === address) ?? rows.find((row) => row.id === address);
}

/** Cases, then checks. `findings` refers to them by their index. */
export const rows = [...caseRows, ...checkRows];
for (const [change, indices] of Object.entries(data.changes)) for (const index of indices) rows[index].change = change;
