#!/usr/bin/env python3
"""A plugin of the compiler, in place of Xcode's: expands `#Preview` to nothing, once its arguments are type-checked."""

import json
import struct
import sys


def main() -> None:
    while size := sys.stdin.buffer.read(8):
        message = json.loads(sys.stdin.buffer.read(*struct.unpack("<Q", size)))
        if "getCapability" in message:
            answer = {"getCapabilityResult": {"capability": {"protocolVersion": 7, "features": []}}}
        else:
            answer = {"expandMacroResult": {"expandedSource": "", "diagnostics": []}}
        content = json.dumps(answer).encode()
        sys.stdout.buffer.write(struct.pack("<Q", len(content)) + content)
        sys.stdout.buffer.flush()


main()
