// Preloaded into the programs that `npm start` runs. When the starter dies without a word (kill -9, a closed terminal),
// the channel to it closes: end in the same orderly way as on Ctrl-C, so that the port and the database are free again.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
