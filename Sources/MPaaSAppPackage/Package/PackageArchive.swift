import MPaaSConfig
import MPaaSSupport

/// The zip that a build is: its entries, of which few are read, and none is unpacked.
struct PackageArchive {
  private let bytes: Bytes
  private let directory: ZipDirectory
  private let entries: [String: ZipDirectory.Entry]
  /// Bytes that all entries give together, as the directory says.
  let contentSize: UInt64

  private static let mostEntries = 400_000
  /// Bytes of a property list, a manifest or a profile.
  private static let largestDocument: UInt64 = 8 << 20
  /// Bytes of a table of resources.
  static let largestTable: UInt64 = 64 << 20
  /// The bytes that all entries may give together at least, and the times of the file's size that are allowed beyond.
  private static let total: UInt64 = 4 << 30
  private static let ratio: UInt64 = 64

  /// - Throws: `AppPackageError` where it is no zip, or one that is made to harm.
  init(_ bytes: Bytes) throws(AppPackageError) {
    guard ZipDirectory.matches(bytes) else { throw AppPackageError(.unknown, "zip") }
    do throws(ZipDirectory.Fault) {
      directory = try ZipDirectory(bytes, most: Self.mostEntries)
    } catch {
      throw AppPackageError(.damaged, "\(error.reason) @ \(error.offset)")
    }
    self.bytes = bytes
    var entries: [String: ZipDirectory.Entry] = [:]
    var size: UInt64 = 0
    for entry in directory.entries {
      guard !ZipPath.isEscape(entry.name) else { throw AppPackageError(.unsafe, "path \(entry.name)") }
      // Two of one name: readers differ in which of them they take.
      guard entries.updateValue(entry, forKey: entry.name) == nil else {
        throw AppPackageError(.unsafe, "twice: \(entry.name)")
      }
      size = size.addingReportingOverflow(entry.size).overflow ? .max : size + entry.size
    }
    self.entries = entries
    contentSize = size
    if let fault = directory.faults.first {
      throw AppPackageError(fault.reason.hasPrefix("overlap") ? .unsafe : .damaged, "\(fault.reason) @ \(fault.offset)")
    }
    guard size <= max(Self.total, UInt64(bytes.count) * Self.ratio) else {
      throw AppPackageError(.unsafe, "size \(size)")
    }
  }

  var names: [String] { directory.entries.map(\.name) }

  func has(_ name: String) -> Bool { entries[name] != nil }

  /// The folder of the one app of an `.ipa`; nil where there is none.
  ///
  /// - Throws: `AppPackageError` where there are several.
  func app() throws(AppPackageError) -> String? {
    var apps: Set<String> = []
    for name in names where name.hasPrefix("Payload/") && name.hasSuffix(".app/Info.plist") {
      let folder = String(name.dropLast("/Info.plist".count))
      if folder.count(where: { $0 == "/" }) == 1 { apps.insert(folder) }
    }
    guard apps.count <= 1 else { throw AppPackageError(.damaged, apps.sorted().joined(separator: ", ")) }
    return apps.first
  }

  /// The content of an entry; nil where there is none.
  ///
  /// - Throws: `AppPackageError`.
  func content(_ name: String, most: UInt64 = largestDocument) throws(AppPackageError) -> Bytes? {
    guard let entry = entries[name] else { return nil }
    guard !entry.isEncrypted else { throw AppPackageError(.damaged, "encrypted: \(name)") }
    guard entry.size <= most else { throw AppPackageError(.unsafe, "size \(entry.size): \(name)") }
    let stored: Bytes
    do throws(ZipDirectory.Fault) {
      stored = try directory.stored(entry, of: bytes)
    } catch {
      throw AppPackageError(.damaged, "\(error.reason): \(name)")
    }
    do throws(EntryContent.Failure) {
      return try EntryContent(stored: stored, entry: entry).body()
    } catch {
      throw AppPackageError(error == .tooLarge ? .unsafe : .damaged, name)
    }
  }

  /// A property list.
  func list(_ name: String) throws(AppPackageError) -> PropertyListValue {
    guard let bytes = try content(name) else { throw AppPackageError(.damaged, name) }
    do throws(ConfigError) {
      return try PropertyListFile(bytes.array, file: name).root
    } catch {
      throw AppPackageError(.damaged, "\(name): \(error.code.id.name)")
    }
  }

  /// The signer of an APK.
  var signature: APKSignature? {
    APKSignature(bytes, directory: directory.start) {
      let name = names.first { name in
        name.hasPrefix("META-INF/") && [".RSA", ".DSA", ".EC"].contains { name.uppercased().hasSuffix($0) }
      }
      return name.flatMap { try? content($0) }
    }
  }
}
