"""The one reader of Swift packages: as SwiftPM describes them, and their sources as the toolchain's parser reads them.

* `toolchain`: `Toolchain.find()` is the toolchain in PATH, with the environment that its commands run in.
* `package`: `read_package(folder, toolchain)` reads a package once, tests included, and writes nothing into it.
  `Package.targets` are those in Swift (`.code` without the tests, `.tests`), `.others` are plugins, macros and C;
  `.obstacles` are reasons why a generated package cannot hold the same.
  `Package.modules`, `.roles` and `.may_import(…)` apply the entries `[[targets]]` of a configuration to their names.
* `reader`: `read_sources(folder, package, toolchain)` reads all files at once (`read_files` chosen ones). A file that
  cannot be parsed has a `problem`; `require_readable` raises it. `SourceFile.walk()` yields declarations with owners,
  which `path`, `effective_access` and `is_api` put to use; `SourceFile.mask` is the code without comments and literals.
  Declarations in all clauses of `#if` are there; `is_conditional` marks those in which no edit may be placed.
* `manifest`: `manifest_text(…)` writes the `Package.swift` of a generated package.
* `copy`: `copy_package`, `copy_with_local_packages`, `package_files` and `revision` of a checkout.
* `config`: `read_config(config_file(folder))` reads `swiftmodules.toml`.
* `cache`: `cache_folder()` is for work that has no place in a package.

Structs are those of msgspec: change one with `msgspec.structs.replace`.
"""
