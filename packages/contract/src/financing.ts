import { z } from 'zod';
import { NEEDS } from './access.ts';
import { registeredSchema, registerShape, REGISTER_ERRORS } from './customers.ts';
import { EMI_LIMITS } from './emi-limits.ts';
import { endpoint } from './endpoint.ts';
import { dateSchema, idNumberIn, lineNameSchema, paiseIn } from './fields.ts';
import { withFormNames } from './form-names.ts';
import { PATHS } from './paths.ts';

const financersSchema = z.array(
  z.object({
    financer_id: z.int(),
    name: z.string(),
    is_regulated: z.boolean(),
    /** Whether a sale of its loan can be signed now; false: LENDER_RULES_REQUIRED would refuse it. */
    is_open: z.boolean(),
  }),
);

/** The loan behind an agreement, as the financer that made it knows it. */
const loanShape = {
  financer_id: idNumberIn,
  loan_account_no: lineNameSchema(),
  /** At least what is financed, and no more than a phone may cost; paise. */
  sanctioned_amount: paiseIn.max(EMI_LIMITS.cashPriceMaxPaise, 'field.amount'),
  sanctioned_on: dateSchema,
};
const loanInSchema = z.strictObject(loanShape);
/** A sale says whose loan it is with the loan. */
const { financer_id: _draftsOnly, ...saleShape } = registerShape;
export type LoanIn = z.output<typeof loanInSchema>;

export const financingEndpoints = {
  listFinancers: endpoint({
    ...PATHS.listFinancers,
    summary: 'Who lends the money for phones here.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.activate,
    query: z.strictObject({}),
    reply: financersSchema,
  }),
  financerList: endpoint({
    ...PATHS.financerList,
    summary: 'The same under the specification’s method.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.activate,
    body: z.strictObject({}),
    reply: financersSchema,
  }),
  createCustomerHdb: endpoint({
    ...PATHS.createCustomerHdb,
    summary:
      'Register a sale whose loan a financer made: as customerRegistrationByKegenUpdateV3 without drafts (those name the lender as financer_id), with the loan’s account number and what was sanctioned. A regulated lender’s loan is signed under the regulator’s rules only.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.activate,
    idempotent: true,
    body: withFormNames(z.strictObject({ ...saleShape, loan: loanInSchema })),
    reply: registeredSchema,
    errors: [...REGISTER_ERRORS, 'LOAN_NUMBER_USED', 'LENDER_RULES_REQUIRED'],
  }),
} as const;
