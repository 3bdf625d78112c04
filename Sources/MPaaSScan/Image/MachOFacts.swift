package import MPaaSCodeSignature
import MPaaSConfig
import MPaaSSupport
package import MPaaSSymbols

/// The facts of one Mach-O image.
package struct MachOFacts: Sendable {
  package let architecture: String
  package let kind: ObjectKind
  package let platforms: [(name: String, minimum: String)]
  package let pie: Bool
  package let allowStackExecution: Bool
  package let restrict: Bool
  package let canary: Bool
  package let canaryState: ScanState
  package let arc: Bool
  package let isSwift: Bool
  package let debugMap: Bool
  /// The system of encryption, 0 for room that a store may encrypt.
  package let encryption: UInt32?
  package let uuid: String?
  package let runPaths: [String]
  package let libraries: [MachOLibrary]
  package let imports: MachOImports
  package let segments: [MachOSegment]
  package let sections: [MachOSection]
  package let signature: SignatureFacts?
  package let signing: SigningFacts?
  /// The keys of what the signer allows.
  package let entitlements: [String]
  package let requirements: [String]

  package init(_ image: MachOImage, signature: SignatureCheck?) {
    architecture = image.architecture
    kind = image.kind
    platforms = image.builds.map { build in
      (build.platform.name, build.minimumNumbers.map(String.init).joined(separator: "."))
    }
    let flags = image.header.flags
    pie = flags & 0x20_0000 != 0
    allowStackExecution = flags & 0x2_0000 != 0
    segments = image.segments
    sections = image.sections
    restrict = segments.contains { $0.name == "__RESTRICT" }
    imports = image.imports
    let names = Set(imports.names)
    canary = names.contains("___stack_chk_fail")
    arc = ["_objc_release", "_objc_storeStrong", "_swift_release"].contains { names.contains($0) }
    isSwift =
      sections.contains { $0.name.hasPrefix("__swift") } || names.contains("_swift_release")
      || image.libraries.contains { FileSystem.name(of: $0.name).hasPrefix("libswift") }
    debugMap = imports.hasDebugEntries
    encryption = image.encryption
    uuid = image.statedUUID.map { $0.bytes.hexadecimal }
    runPaths = image.runPaths
    libraries = image.libraries
    self.signature = signature?.facts
    signing = signature.map(SigningFacts.init)
    entitlements = (signature?.entitlements?.members ?? []).map(\.key).sorted()
    requirements = signature?.requirements ?? []
    let called = imports.names.lazy.map { $0.hasPrefix("_") ? $0.dropFirst() : $0[...] }
    canaryState = CanaryEvidence.state(
      has: canary, isOtherwiseSafe: isSwift || called.contains { Fortify.isChecked(String($0)) }, called: called)
  }

  /// The names that the image takes from others without the underscore that C's names get.
  package var calledNames: [Substring] { imports.names.map { $0.hasPrefix("_") ? $0.dropFirst() : $0[...] } }

  /// The segments that are writable and executable at once from the start.
  package var writableAndExecutable: [String] {
    segments.filter { $0.initialProtection & 6 == 6 }.map(\.name)
  }

  package var isPointerAuthenticated: Bool { architecture == "arm64e" }

  /// Tells whether it is for iPhones and their kin, whose apps come from a store.
  package var isForDevices: Bool {
    platforms.contains { ["ios", "tvos", "watchos", "visionos"].contains($0.name) }
  }
}
