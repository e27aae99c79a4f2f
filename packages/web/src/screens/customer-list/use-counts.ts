import { useRead } from '#web/api/use-call.ts';

/** How many customers each quick filter finds, by its id: the figures of Home, which count by the very conditions of the list. None until they are there. */
export function useCounts(): Partial<Record<string, number>> {
  const { data: day } = useRead('getDashboard', {});
  const { data: dues } = useRead('upcomingEmiCounts', {});
  return {
    ...(day && {
      all: day.statuses['all'],
      overdue: day.overdue.customers,
      today: day.today.customers,
      locked: day.locked,
      inactive: day.statuses['0'],
      disputed: day.do_now.find(({ kind }) => kind === 'dispute_open')?.count ?? 0,
      maturing: day.statuses['6'],
      completed: day.statuses['5'],
    }),
    ...(dues && { week: dues.find(({ bucket }) => bucket === 'week')?.customers }),
  };
}
