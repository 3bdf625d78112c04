import MPaaSCodeSignature
package import MPaaSSupport
package import MPaaSSymbols

/// One image that a scan met, with its facts.
package struct ScannedImage: Sendable {
  package enum Facts: Sendable {
    case machO(MachOFacts)
    case elf(ELFFacts)
  }

  /// The path, as findings have it.
  package let path: String
  /// Bytes from the start of the file at `path`, for the slice of a fat file.
  package let offset: UInt64
  package let size: UInt64
  package let facts: Facts

  package var architecture: String {
    switch facts {
    case .machO(let facts): facts.architecture
    case .elf(let facts): facts.architecture
    }
  }

  package var kind: ObjectKind {
    switch facts {
    case .machO(let facts): facts.kind
    case .elf(let facts): facts.kind
    }
  }

  package var place: ScanPlace { ScanPlace(path, architecture: architecture, offset: offset == 0 ? nil : offset) }
}

// MARK: - JSON

extension ScannedImage {
  /// The image as the fixed interface of `mpaas scan --json` has it.
  package var json: JSONValue {
    let format: JSONValue
    let facts: JSONValue
    switch self.facts {
    case .machO(let found): (format, facts) = ("mach-o", found.json)
    case .elf(let found): (format, facts) = ("elf", found.json)
    }
    return [
      "path": .string(path), "format": format, "architecture": .string(architecture), "kind": .string(kind.rawValue),
      "offset": JSONValue(offset), "size": JSONValue(size), "facts": facts,
    ]
  }
}

extension JSONValue {
  init(text: String?) { self = text.map(JSONValue.string) ?? .null }
  init(texts: some Sequence<String>) { self = .array(texts.map(JSONValue.string)) }
}

extension MachOFacts {
  package var json: JSONValue {
    .object([
      "pie": .bool(pie), "allowStackExecution": .bool(allowStackExecution), "restrict": .bool(restrict),
      "canary": .bool(canary), "canaryState": .string(canaryState.rawValue), "arc": .bool(arc),
      "swift": .bool(isSwift), "debugMap": .bool(debugMap),
      "encryption": encryption.map { JSONValue($0) } ?? .null, "uuid": JSONValue(text: uuid),
      "rpaths": JSONValue(texts: runPaths),
      "libraries": .array(
        libraries.map { library in
          [
            "name": .string(library.name), "kind": .string(library.kind.rawValue),
            "version": .string(MachOLibrary.text(library.current)),
          ]
        }),
      "imports": JSONValue(texts: allImports), "importsOfDebugMap": JSONValue(texts: imports.debugNames),
      "writableAndExecutable": JSONValue(texts: writableAndExecutable),
      "pointerAuthentication": .bool(isPointerAuthenticated),
      "platforms": .array(platforms.map { ["name": .string($0.name), "minimum": .string($0.minimum)] }),
      "segments": .array(
        segments.map { segment in
          [
            "name": .string(segment.name), "size": JSONValue(segment.fileSize),
            "initialProtection": JSONValue(segment.initialProtection),
            "maximumProtection": JSONValue(segment.maximumProtection),
          ]
        }),
      "signature": signature?.json ?? .null, "signing": signing?.json ?? .null,
      "entitlements": JSONValue(texts: entitlements),
      "requirements": JSONValue(texts: requirements),
    ])
  }

  /// All names whose entries are undefined by their type: the global variables of the debug map, too, as LIEF counts.
  private var allImports: [String] {
    guard !imports.debugNames.isEmpty else { return imports.names }
    return (imports.names + imports.debugNames).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

extension SignatureFacts {
  var json: JSONValue {
    [
      "directories": .array(
        directories.map { directory in
          [
            "identifier": .string(directory.identifier), "team": JSONValue(text: directory.team),
            "hash": .string(directory.hash), "cdhash": .string(directory.cdhash),
            "codeLimit": JSONValue(directory.codeLimit),
            "badPages": .array(directory.badPages.map { JSONValue($0) }),
          ]
        }),
      "cmsSignatureHolds": cmsSignatureHolds.map(JSONValue.bool) ?? .null,
    ]
  }
}

extension ELFFacts {
  package var json: JSONValue {
    .object([
      "nx": .bool(nx), "canary": .bool(canary), "canaryState": .string(canaryState.rawValue),
      "fortify": .string(fortify.rawValue), "fortified": JSONValue(texts: fortified),
      "fortifiable": JSONValue(texts: fortifiable), "rpath": .bool(rpath != nil), "runpath": .bool(runpath != nil),
      "rpaths": JSONValue(texts: [rpath, runpath].compactMap(\.self)), "symbols": .bool(symbols),
      "relro": .string(relro.rawValue), "pie": .string(pie.rawValue), "needed": JSONValue(texts: needed),
      "soname": JSONValue(text: soname), "textRelocations": .bool(textRelocations),
      "buildID": JSONValue(text: buildID), "imports": JSONValue(texts: imports),
      "interposable": JSONValue(interposable), "branchProtection": .string(branchProtection.rawValue),
      "returnProtection": .string(returnProtection.rawValue), "swift": .bool(isSwift),
      "androidLevel": androidLevel.map { JSONValue($0) } ?? .null,
      "writableAndExecutable": .array(writableAndExecutable.map { JSONValue($0) }),
    ])
  }
}
