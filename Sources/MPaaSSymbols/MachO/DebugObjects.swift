import MPaaSSupport

/// The object files that a debug map names, as far as they are still there.
package struct DebugObjects: Sendable {
  /// The present path of each file of the map, by the path that the linker wrote.
  package private(set) var files: [String: String] = [:]
  /// Object files of the map that are not there any more.
  package private(set) var missing: [String] = []
  /// Object files that have another time than when they were linked, so that lines may be off.
  package private(set) var changed: [String] = []
  package let total: Int
  private let architecture: String

  /// Looks where the linker wrote, then beside the image, then among the files that the user gave.
  ///
  /// - Parameters:
  ///   - folder: Where the image lies.
  ///   - given: Paths of files that the user gave, by their names.
  init(_ map: DebugMap, architecture: String, beside folder: String, given: (String) -> [String]) {
    self.architecture = architecture
    total = map.objects.count
    var libraries: [String: [String: Int64]] = [:]
    for object in map.objects {
      let file = object.file
      if files[file] == nil {
        let name = FileSystem.name(of: file)
        let relative = file.hasPrefix("/") ? [] : [folder + "/" + file]
        let found = ([file] + relative + [folder + "/" + name]).first { FileStatus($0)?.kind == .file }
        files[file] = found ?? given(name).first
      }
      guard let path = files[file] else {
        missing.append(object.path)
        continue
      }
      guard object.modified > 0 else { continue }
      var modified = FileStatus(path)?.modified
      if let member = object.member {
        if libraries[path] == nil { libraries[path] = Self.times(path) }
        modified = libraries[path]?[member]
      }
      if modified != object.modified { changed.append(object.path) }
    }
  }

  /// Libraries may have two members of one name; the later is then meant as little as the first.
  private static func times(_ path: String) -> [String: Int64] {
    var times: [String: Int64] = [:]
    for member in library(path, architecture: nil)?.members ?? [] { times[member.name] = member.modified }
    return times
  }

  /// Opens an object file of the map; nil where it is missing or not readable.
  func open(_ object: LinkedObject) -> MachOImage? {
    guard let path = files[object.file] else { return nil }
    var content = try? Bytes.mapping(path)
    if let member = object.member {
      let members = Self.library(path, architecture: architecture)?.members.filter { $0.name == member } ?? []
      content = (members.first { $0.modified == object.modified } ?? members.first)?.bytes
    }
    guard let content, MachOImage.matches(content), let images = try? MachOImage.images(content) else { return nil }
    return images.first { $0.architecture == architecture } ?? images.first
  }

  /// A library, of a fat one the part for a processor.
  private static func library(_ path: String, architecture: String?) -> StaticLibrary? {
    guard let bytes = try? Bytes.mapping(path) else { return nil }
    guard MachOFat.matches(bytes.buffer) else { return StaticLibrary(bytes) }
    let slices = (try? MachOFat.slices(bytes)) ?? []
    let slice = slices.first { $0.architecture.name == architecture } ?? slices.first
    return slice.map { StaticLibrary($0.bytes) }
  }
}
