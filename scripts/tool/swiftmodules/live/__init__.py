"""Runs a program and brings edits into it: implementations are replaced, all else is a build and a restart.

`session` is the loop. It learns of saves from `watch`, decides with `plan`, builds with `build` and `implementations`,
and talks to the program through `application`. A `target` is compiled as the compiler's `dependencies` say.
"""
