import { type KeyObject, createPublicKey } from 'node:crypto';

/**
 * Keys of the two roots that Google signs what phones say of their keys with, as it publishes them (https://android.googleapis.com/attestation/root): the one
 * of all phones until 2026 (RSA of 4096 bits, serialNumber=f92009e853b6b045) and the one after it (P-384, CN=Key Attestation CA1).
 */
const SPKI = [
  'MIICIjANBgkqhkiG9w0BAQEFAAOCAg8AMIICCgKCAgEAr7bHgiuxpwHsK7Qui8xUFmOr75gvMsd/dTEDDJdSSxtf6An7xyqpRR90PL2abxM1dEqlXnf2tqw1Ne4Xwl5jlRfdnJLmN0pT' +
    'y/4lj4/7tv0Sk3iiKkypnEUtR6WfMgH0QZfKHM1+di+y9TFRtv6y//0rb+T+W8a9nsNL/ggjnar86461qO0rOs2cXjp3kOG1FEJ5MVmFmBGtnrKpa73XpXyTqRxB/M0n1n/W9nGqC4FS' +
    'Ya04T6N5RIZGBN2z2MT5IKGbFlbC8UrW0DxW7AYImQQcHtGl/m00QLVWutHQoVJYnFPlXTcHYvASLu+RhhsbDmxMgJJ0mcDpvsC4PjvB+TxywElgS70vE0XmLD+OJtvsBslHZvPBKCOd' +
    'T0MS+tgSOIfga+z1Z1g7+DVagf7quvmag8jfPioyKvxnK/EgsTUVi2ghzq8wm27ud/mIM7AY2qEORR8Go3TVB4HzWQgpZrt3i5MIlCaY504LzSRiigHCzAPlHws+W0rB5N+er5/2pJKn' +
    'fBSDiCiFAVtCLOZ7gLiMm0jhO2B6tUXHI/+MRPjy02i59lINMRRev56GKtcd9qO/0kUJWdZTdA2XoS82ixPvZtXQpUpuL12ab+9EaDK8Z4RHJYYfCT3Q5vNAXaiWQ+8PTWm2QgBR/bkw' +
    'SWc+NpUFgNPN9PvQi8WEg5UmAGMCAwEAAQ==',
  'MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEI9ojcU7fPlsFCjxy6IRqzgeOoK0b+YsV9FPQywiyw8EQRTkJ9u3qwfnI4DGoSLlBqClTXJfgfCcZvs60FikNMHnu4fkRzObfgDkU2KNXezT9' +
    '/RQ+XvNslxPHrHCowhGr',
];

export const GOOGLE_ROOTS: readonly KeyObject[] = SPKI.map((spki) =>
  createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' }),
);
