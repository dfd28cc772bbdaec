"""The steps of the Dockerfile as a shell script, for a machine without a container engine.

In: the Dockerfile, on the standard input. Out, on the standard output: a script that does its
steps in the current folder, with the files of $SOURCE and the `python` of the PATH, as root; it
ends by serving as the user of the image, on 127.0.0.1 and $PORT. Stops at an unknown instruction.
"""

import json
import shlex
import sys


def script(text: str) -> list[str]:
    lines = ["set -eu"]
    user = ""
    for line in text.replace("\\\n", " ").splitlines():
        name, _, said = line.partition(" ")
        if not line or line.startswith("#") or name in ("WORKDIR", "EXPOSE"):
            continue
        if name == "FROM":
            version = said.partition(":")[2].partition("-")[0]
            lines.append(f'python --version | grep -q "^Python {version}"')
        elif name == "COPY":
            *sources, target = shlex.split(said)
            lines += [f'cp -r "$SOURCE"/{shlex.quote(s)} {shlex.quote(target)}' for s in sources]
        elif name == "RUN":
            lines.append(said)
        elif name == "USER":
            user = said
        elif name == "CMD":
            words = [{"0.0.0.0": "127.0.0.1"}.get(word, word) for word in json.loads(said)]
            words[words.index("--port") + 1] = "$PORT"
            command = " ".join(w if w == "$PORT" else shlex.quote(w) for w in words)
            # an interpreter in the home of root is out of another user's reach
            as_user = f"runuser -u {user} --"
            lines.append(f"{as_user} python -c '' 2>/dev/null && exec {as_user} {command}")
            lines.append(f'echo "served as $(id -un): python is out of reach of {user}"')
            lines.append(f"exec {command}")
        else:
            sys.exit(f"Dockerfile: {name} is not known here")
    return lines


if __name__ == "__main__":
    print("\n".join(script(sys.stdin.read())))
