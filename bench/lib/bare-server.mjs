import { createServer } from 'node:http';

// The least that Node does for a request: the yardstick of the authenticated call. Its answer has the same size.
const body = JSON.stringify({
  status: 200,
  response: 'success',
  message: 'Success',
  data: { lock: '1', unlock: '1', read: '1', uninstall: '1' },
});
const server = createServer((_request, reply) => {
  reply.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  reply.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address ? address.port : 0);
});
process.on('disconnect', () => process.exit(0));
