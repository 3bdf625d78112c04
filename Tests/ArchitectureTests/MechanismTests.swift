import MPaaSTestSupport
import Testing

@Suite("Small mechanisms") struct MechanismTests {
  /// A text that gives each away, and the files that have it: one for all, and those that write it into the sources of
  /// created projects.
  static let homes: [(mechanism: String, sign: String, homes: Set<String>)] = [
    ("hexadecimal digits", "\"0123456789abcdef\"", ["MPaaSBase/JSON/JSONWriter.swift"]),
    (
      "base64", "uvwxyz0123456789+/\"",
      ["MPaaSSupport/Bytes/Base64.swift", "MPaaSProject/OpenAPI/Support/SwiftAPISupport+Styles.swift"]
    ),
    // Libraries that apps link stand on nothing, and format specifiers begin with the same sign.
    (
      "percent encoding", "\"%\" + ",
      [
        "MPaaSSupport/Text/PercentEncoding.swift", "MPaaSFramework/Call/CallText.swift",
        "MPaaSLanguages/Model/TextTable+Strings.swift", "MPaaSLanguages/Exchange/TextTable+Files.swift",
      ]
    ),
    // Signatures of RSA are over a digest that swift-crypto made itself.
    (
      "digests of SHA-256", "SHA256.hash(",
      [
        "MPaaSTrust/Key/SigningKey.swift", "MPaaSVerification/Key/RSAVerificationKey.swift",
        "MPaaSSigning/Key/RSASigningKey.swift", "MPaaSCodeSignature/ASN1/SignatureAlgorithm.swift",
      ]
    ),
    ("running digests", "SHA256()", ["MPaaSDigests/RunningDigest.swift"]),
    ("digests of MD5", "Insecure.MD5", ["MPaaSDigests/RunningDigest.swift"]),
    ("CRC-32", "edb8_8320", ["MPaaSBase/Bytes/Checksum.swift"]),
    ("CRC-32C", "82f6_3b78", ["MPaaSSupport/Bytes/CRC32C.swift"]),
    (
      "dates of days", "146_097",
      [
        "MPaaSBase/Time/CivilDate.swift", "MPaaSProject/Model/SwiftModelDates.swift",
        "MPaaSProject/Model/SwiftModelFormats.swift",
      ]
    ),
    ("names of months", "\"Jan\", \"Feb\"", ["MPaaSSupport/Time/HTTPDate.swift"]),
    (
      "zeros in front", "repeating: \"0\", count: max",
      ["MPaaSBase/Text/PaddedNumber.swift", "MPaaSProject/Model/SwiftModelDates.swift"]
    ),
    // Property lists are written byte by byte, and Markdown takes more signs for its own.
    (
      "escaping for XML and HTML", "&amp;\"",
      [
        "MPaaSSupport/Text/MarkupText.swift", "MPaaSConfig/PropertyList/PropertyListWriter.swift",
        "MPaaSCrash/Output/MarkdownReport.swift", "MPaaSProject/OpenAPI/Support/SwiftAPISupport+XML.swift",
      ]
    ),
    // Libraries that apps link stand on nothing.
    (
      "nearest words", "typed.count / 3",
      ["MPaaSSupport/Diagnostic/ClosestMatch.swift", "MPaaSFramework/Error/NearestName.swift"]
    ),
    ("pieces of PNG files", "0x4e, 0x47", ["MPaaSSupport/Bytes/PNG.swift"]),
    ("MurmurHash3", "cc9e_2d51", ["MPaaSBuckets/MurmurHash3.swift"]),
    ("keywords of Swift", "\"associatedtype\", \"class\"", ["MPaaSDeclarations/Swift/SwiftKeywords.swift"]),
    ("zones of TZif files", "\"TZif\"", ["MPaaSTimeZones/TimeZoneFile.swift"]),
    // The evaluator of flags draws without a lock, from one count of all threads; fingerprints mix their last bits so.
    (
      "SplitMix64", "0x94d0_49bb_1331_11eb",
      [
        "MPaaSRandom/SplitMix64.swift", "MPaaSFlags/Evaluation/Draw.swift", "MPaaSModules/Store/Fingerprint.swift",
        "MPaaSCPD/Token/TokenTable.swift",
      ]
    ),
    ("Adler-32", "65_521", ["MPaaSBase/Bytes/Checksum.swift"]),
    ("wildcards", "allSatisfy(isAny)", ["MPaaSSupport/Text/Glob.swift"]),
    ("locks of files", " flock(", ["MPaaSBase/File/LockFile.swift"]),
    ("folders of the XDG specification", "\"/.local/share\"", ["MPaaSBase/File/BaseFolders.swift"]),
    ("folders of a unique name", "mkdtemp(", ["MPaaSSupport/File/FileSystem+Folders.swift"]),
    ("targets of links", "readlink(", ["MPaaSBase/File/FileSystem+Links.swift"]),
    ("resolved paths", "realpath(", ["MPaaSBase/File/FileSystem+Links.swift"]),
    ("boxes of flame graphs", "left -= character.isASCII", ["MPaaSToolSupport/Drawing/FlameStyle.swift"]),
    ("words of a shell's line", "\"'\\\\''\"", ["MPaaSToolSupport/Text/ShellWord.swift"]),
    // The second program is looked for beside the first alone.
    (
      "the search for programs", "X_OK",
      ["MPaaSToolSupport/Process/ProgramPath.swift", "ServingKit/Work/ServerBinary.swift"]
    ),
    ("programs that are started", "posix_spawn_file_actions_init(", ["MPaaSToolSupport/Process/StartedProcess.swift"]),
    ("the ends of other programs", "waitpid(", ["MPaaSToolSupport/Process/StartedProcess.swift"]),
    // libarchive passes over what the directory of a zip says otherwise.
    (
      "zips by hand", "0x0605_4b50",
      [
        "MPaaSArchive/StoredZip.swift", "MPaaSModules/Archive/ZipDirectory.swift",
        "MPaaSAppPackage/Zip/ZipDirectory.swift",
      ]
    ),
    ("kinds of archives", "\"ustar\"", ["MPaaSArchive/ArchiveForm.swift"]),
    // A stream of names takes the descriptor over, or it is closed.
    (
      "descriptors that are closed", "close(descriptor)",
      ["MPaaSBase/File/OpenFile.swift", "MPaaSModules/Store/FolderTree.swift"]
    ),
    // One end is left open for a signal handler, and one goes to the second program.
    (
      "pipes", " pipe(&ends)",
      [
        "MPaaSBase/File/OpenPipe.swift", "MPaaSToolSupport/Process/EndRequest.swift",
        "ServingKit/Work/HandedFile.swift",
      ]
    ),
    ("files of a unique name", "mkstemp(", ["MPaaSBase/File/OpenFile.swift"]),
  ]

  @Test("are there once", arguments: homes)
  func once(_ mechanism: String, _ sign: String, _ homes: Set<String>) {
    #expect(Set(PackageSource.all.filter { $0.has([sign]) }.map(\.file)) == homes, "\(mechanism)")
  }
}
