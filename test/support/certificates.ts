/** Certificates for tests, encoded here because Node can read but not write X.509. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface Certificate {
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
}

interface Issuer {
  readonly name: string;
  readonly key: KeyObject;
}

export interface CertificateOptions {
  /** The host of the certificate: the address 127.0.0.1, or a name. */
  readonly host: string;
  /** The issuer. Default: self-signed. */
  readonly issuer?: Authority;
  /** Default: in a day. */
  readonly expiresAt?: Date;
}

export interface Authority extends Certificate {
  readonly issuer: Issuer;
}

const DAY_MS = 86_400_000;

export function makeAuthority(name: string): Authority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { name, key: privateKey };
  const isAuthority = sequence(oid(BASIC_CONSTRAINTS), TRUE, octets(sequence(TRUE)));
  const certificate = make({ issuer, subject: name, publicKey, extension: isAuthority });
  return { certificate, key: pemOf(privateKey), issuer };
}

export function makeCertificate({ host, issuer, expiresAt }: CertificateOptions): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const alternative =
    host === '127.0.0.1' ? der(0x87, Buffer.from([127, 0, 0, 1])) : der(0x82, Buffer.from(host));
  const certificate = make({
    issuer: issuer?.issuer ?? { name: host, key: privateKey },
    subject: host,
    publicKey,
    extension: sequence(oid(SUBJECT_ALTERNATIVE_NAME), octets(sequence(alternative))),
    ...(expiresAt !== undefined && { expiresAt }),
  });
  return { certificate, key: pemOf(privateKey) };
}

interface Parts {
  readonly issuer: Issuer;
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly extension: Buffer;
  readonly expiresAt?: Date;
}

function make({
  issuer,
  subject,
  publicKey,
  extension,
  expiresAt = new Date(Date.now() + DAY_MS),
}: Parts): string {
  const algorithm = sequence(oid(ECDSA_WITH_SHA256));
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.from([1 + Math.floor(Math.random() * 100), ...Buffer.from(subject)])),
    algorithm,
    nameOf(issuer.name),
    sequence(time(new Date(expiresAt.getTime() - 30 * DAY_MS)), time(expiresAt)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, issuer.key)]));
  const text = sequence(body, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
}

const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const SUBJECT_ALTERNATIVE_NAME = '551d11';
const BASIC_CONSTRAINTS = '551d13';
const TRUE = Buffer.from([0x01, 0x01, 0xff]);

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...contents: readonly Buffer[]): Buffer {
  return der(0x30, ...contents);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function octets(content: Buffer): Buffer {
  return der(0x04, content);
}

/** A positive INTEGER, whose first byte is below 128. */
function integer(bytes: Buffer): Buffer {
  return der(0x02, bytes);
}

function nameOf(text: string): Buffer {
  return sequence(der(0x31, sequence(oid(COMMON_NAME), der(0x0c, Buffer.from(text)))));
}

/** UTCTime, to the second. */
function time(at: Date): Buffer {
  return der(0x17, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
