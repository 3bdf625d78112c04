"""Times notifications by httpx over HTTP/2 to a double of APNs; a row as PushBench prints them.

push-peers.py FOLDER COUNT: key.p8, ca.pem and url are in FOLDER, as `PushBench double` has them.
"""

import asyncio
import base64
import json
import sys
import time

IN_FLIGHT = 50


def token(number):
    return f"{number:064x}"


def authorization(folder):
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec, utils

    def text(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    with open(f"{folder}/key.p8", "rb") as file:
        key = serialization.load_pem_private_key(file.read(), None)
    head = json.dumps({"alg": "ES256", "kid": "BENCHKEY01"}).encode()
    claims = json.dumps({"iss": "BENCHTEAM1", "iat": int(time.time())}).encode()
    signed = f"{text(head)}.{text(claims)}"
    r, s = utils.decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    return f"bearer {signed}.{text(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


async def send(folder, count):
    import ssl

    import httpx

    with open(f"{folder}/url", encoding="utf-8") as file:
        url = file.read().strip()
    headers = {
        "authorization": authorization(folder),
        "apns-topic": "com.example.shop",
        "apns-push-type": "alert",
        "apns-priority": "10",
    }
    body = json.dumps({"aps": {"alert": {"body": "Hello!"}}}).encode()
    context = ssl.create_default_context(cafile=f"{folder}/ca.pem")
    turns = asyncio.Semaphore(IN_FLIGHT)
    limits = httpx.Limits(max_connections=1)
    async with httpx.AsyncClient(http2=True, verify=context, headers=headers, limits=limits, timeout=60) as client:

        async def one(number):
            async with turns:
                answer = await client.post(f"{url}/3/device/{token(number)}", content=body)
                return answer.status_code == 200

        # The first one alone: a server allows one stream until it has seen a token that is right.
        accepted = [await one(0)]
        start = time.process_time()
        accepted += await asyncio.gather(*(one(number) for number in range(1, count)))
        seconds = time.process_time() - start
    print(f"httpx and h2: {int((count - 1) / seconds)} per CPU second, {sum(accepted)} of {count} accepted", flush=True)


def main():
    try:
        asyncio.run(send(sys.argv[1], int(sys.argv[2])))
    except ImportError as error:
        print(f"httpx and h2: {error.name} is not installed", file=sys.stderr)


main()
