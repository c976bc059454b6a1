/** A certificate for 127.0.0.1 that is signed by nobody but itself, valid until the year 9999. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBSTCB8aADAgECAgEBMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCXZhbmUgdGVz
dDAgFw0wMDAxMDEwMDAwMDBaGA85OTk5MTIzMTIzNTk1OVowFDESMBAGA1UEAwwJ
dmFuZSB0ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYtofcEvE4UX6ujX7
57aF0oN7LdZ6UOQfw7rgw4FHuaiiEuINyw5+yBz+JrQC1hoxovHqy6cMi+upmyap
ZghIRqMyMDAwDwYDVR0RBAgwBocEfwAAATAdBgNVHQ4EFgQUPiGMCPOfbxliqWgo
oEL9UxOn4eswCgYIKoZIzj0EAwIDRwAwRAIgWW001sU+DBvxKQo3WNbnrkl2uss4
sSUb0Wy7v+Y4h7cCIAGJ7s4KBxBxlHzNt3FzT2gu1oqiGdLugRrCWuBoO0vu
-----END CERTIFICATE-----`;

/** The key of the certificate. It is no secret. */
export const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg8FktxX7BK+1IJbrq
RapGn90fjW+mOjlg6mPlqbhYTeOhRANCAARi2h9wS8ThRfq6NfvntoXSg3st1npQ
5B/DuuDDgUe5qKIS4g3LDn7IHP4mtALWGjGi8erLpwyL66mbJqlmCEhG
-----END PRIVATE KEY-----`;
