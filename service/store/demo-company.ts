import type { Company } from './seed.ts';

const at = (name: string) => `${name}@alder-finch.example`;

/**
 * An invented furniture maker. Domains under `.example` belong to nobody (RFC 2606). Its people see different
 * documents.
 */
export const demoCompany: Company = {
  name: 'Alder & Finch, furniture makers',
  people: [
    { email: at('grace'), name: 'Grace Okafor', role: 'super-admin' },
    { email: at('tomas'), name: 'Tomás Rivera', role: 'admin' },
    { email: at('mei'), name: 'Mei Tanaka', role: 'api-token-creator' },
    { email: at('priya'), name: 'Priya Nair', role: 'user' },
    { email: at('jonas'), name: 'Jonas Lindqvist', role: 'user' },
    { email: at('amara'), name: 'Amara Diallo', role: 'user' },
    { email: at('luca'), name: 'Luca Bianchi', role: 'user' },
    { email: at('hannah'), name: 'Hannah Weiss', role: 'user' },
    { email: at('samuel'), name: 'Samuel Osei', role: 'user' },
    { email: at('eleni'), name: 'Eleni Papadopoulou', role: 'user' },
  ],
  documents: [
    {
      title: 'Travel policy',
      body: 'Trains before planes wherever the journey takes less than six hours. Book through the travel desk at least a week ahead. Meals are reimbursed up to 45 euros a day against receipts, hotels up to 140 euros a night.',
      owner: at('priya'),
      audience: 'everyone',
    },
    {
      title: 'Holidays and time off',
      body: 'Everyone has 28 days of holiday a year. Enter them in the calendar by the end of March. Five days may be carried over until June. The workshop closes between Christmas and New Year.',
      owner: at('priya'),
      audience: 'everyone',
    },
    {
      title: 'First week at Alder & Finch',
      body: 'On Monday you receive a laptop, a key and safety shoes. Tuesday is a day in the workshop with Luca, whatever your job is. On Friday at four we have cake and you meet everyone else.',
      owner: at('priya'),
      audience: 'everyone',
    },
    {
      title: 'How to get help with your laptop',
      body: 'Write to the IT desk or come by the second floor. Lost a device? Call Grace at once, at any hour. Passwords are never asked for by mail.',
      owner: at('tomas'),
      audience: 'everyone',
    },
    {
      title: 'Intranet search: how it is built',
      body: 'The search box of the intranet calls the client API with a GLOBAL token and acts as the person who is signed in. The token has the scopes SEARCH and DOCUMENTS, and is renewed every January.',
      owner: at('mei'),
      audience: [at('grace'), at('tomas')],
    },
    {
      title: 'Expense claims, step by step',
      body: 'Photograph the receipt, pick the cost centre, send. Claims that arrive by the 20th are paid with the salary of the same month. Travel needs the number of the approved trip.',
      owner: at('jonas'),
      audience: 'everyone',
    },
    {
      title: 'Budget for next year, second draft',
      body: 'Revenue is planned at 6.4 million euros, four percent up. The largest investment is the new panel saw, 180,000 euros. Travel is cut by a tenth. To be decided by the management on the 14th.',
      owner: at('jonas'),
      audience: [at('grace'), at('hannah')],
    },
    {
      title: 'Salaries by department',
      body: 'The salary bands for workshop, design, sales and administration, with the proposal for the coming round. Do not pass on.',
      owner: at('jonas'),
      audience: [at('priya')],
    },
    {
      title: 'Heron lounge chair: design notes',
      body: 'Ash frame, steam bent, with a woven paper cord seat. The rear legs are splayed by seven degrees. The second prototype was too low; the seat goes up by 15 millimetres.',
      owner: at('amara'),
      audience: [at('luca'), at('samuel')],
    },
    {
      title: 'Colours and typefaces of the brand',
      body: 'Alder green, bark and chalk; the word mark always stands alone. Photographs show furniture in daylight and in use, never in an empty studio.',
      owner: at('amara'),
      audience: 'everyone',
    },
    {
      title: 'Machine safety in the workshop',
      body: 'Nobody works at a saw alone. Guards stay on, gloves stay off. The emergency stop is tested every Monday before eight; write the result into the log at the door.',
      owner: at('luca'),
      audience: 'everyone',
    },
    {
      title: 'Timber stock and suppliers',
      body: 'Ash comes from two sawmills in the Eifel, oak from the Spessart. Drying takes nine weeks. Stock below four cubic metres is reordered, larger orders need the budget of the quarter.',
      owner: at('luca'),
      audience: [at('jonas'), at('amara')],
    },
    {
      title: 'Contract template for dealers',
      body: 'Dealers buy at 38 percent below list price, with payment within 30 days. Exclusive regions need the signature of the management. Warranty is five years on frames.',
      owner: at('hannah'),
      audience: [at('samuel'), at('grace')],
    },
    {
      title: 'Data protection: what we keep, and how long',
      body: 'Applications are deleted after six months, invoices after ten years. Customers may ask what we know about them; send such letters to Hannah the same day.',
      owner: at('hannah'),
      audience: 'everyone',
    },
    {
      title: 'Offer for the city library',
      body: 'Sixty reading chairs and fourteen tables in oak, delivered in two lots. Our price is 84,300 euros. The library decides in May; the competitor offers beech.',
      owner: at('samuel'),
      audience: [at('amara'), at('jonas')],
    },
    {
      title: 'Price list for dealers',
      body: 'Heron lounge chair 1,290 euros, Wren stool 240 euros, Plover table from 1,750 euros. Valid from the first of April. Prices include delivery within the country.',
      owner: at('samuel'),
      audience: 'everyone',
    },
    {
      title: 'Answers to frequent customer questions',
      body: 'How do I oil an ash table? Twice a year, thinly, along the grain. Can I return a chair? Within 30 days, if it was not made to measure. Spare cords are sent free of charge.',
      owner: at('eleni'),
      audience: 'everyone',
    },
    {
      title: 'Complaints of this month',
      body: 'Eleven complaints, two fewer than last month. Five concern scratched tabletops on delivery: we change the packaging. One chair squeaks; Luca looks into it.',
      owner: at('eleni'),
      audience: [at('luca'), at('samuel')],
    },
    {
      title: 'Notes for my talk with Grace',
      body: 'Ask for a second monitor and for three days of training in spring. Mention that the ticket backlog is down to twelve.',
      owner: at('tomas'),
      audience: [],
    },
  ],
};
