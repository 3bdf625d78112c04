package import CUnwind
package import MPaaSCrashReport
import MPaaSSupport
import MPaaSSymbols

/// The files mapped into a process that is looked at, as the unwinder and as a report want them.
package final class ImageList {
  package private(set) var table: mp_images
  private let pathCapacity: Int

  /// Memory for `capacity` images, none of them filled in.
  package init(capacity: Int, pathCapacity: Int) {
    self.pathCapacity = pathCapacity
    table = mp_images()
    let images = UnsafeMutablePointer<mp_image>.allocate(capacity: max(capacity, 1))
    images.initialize(repeating: mp_image(), count: max(capacity, 1))
    table.images = images
    table.capacity = capacity
    table.paths = .allocate(capacity: max(pathCapacity, 1))
    table.paths_capacity = pathCapacity
  }

  deinit {
    table.images.deallocate()
    table.paths.deallocate()
  }

  /// The images of a live process; empty where its map cannot be read.
  package static func live(process: Int32, memory: some TargetMemory) -> ImageList {
    var capacity = 1024
    while true {
      let list = ImageList(capacity: capacity, pathCapacity: capacity * 160)
      var reader = memory.reader
      let error = mp_images_from_maps("/proc/\(process)/maps", &reader, &list.table)
      if error != 0 { list.table.count = 0 }
      guard error == 0, list.table.is_truncated, capacity < 1 << 17 else {
        list.markMain(path: (try? FileSystem.target(ofLink: "/proc/\(process)/exe")).map(CrashReport.withoutDeleted))
        return list
      }
      capacity *= 4
    }
  }

  /// Takes one more image in; false where there is no room.
  package func append(_ image: mp_image, path: String) -> Bool {
    let bytes = Array(path.utf8CString)
    guard table.count < table.capacity, pathCapacity - table.paths_used >= bytes.count else {
      table.is_truncated = true
      return false
    }
    let target = table.paths + table.paths_used
    bytes.withUnsafeBufferPointer { target.update(from: $0.baseAddress ?? UnsafePointer(target), count: bytes.count) }
    table.paths_used += bytes.count
    var image = image
    image.path = UnsafePointer(target)
    table.images[table.count] = image
    table.count += 1
    return true
  }

  func markMain(path: String?) {
    for index in 0..<table.count {
      table.images[index].is_main = path != nil && String(cString: table.images[index].path) == path
    }
  }

  /// Puts the images in order of their addresses.
  func sort() {
    var images = UnsafeMutableBufferPointer(start: table.images, count: table.count)
    images.sort { $0.base < $1.base }
  }

  package var count: Int { table.count }

  package subscript(index: Int) -> mp_image {
    get { table.images[index] }
    set { table.images[index] = newValue }
  }

  package func path(_ index: Int) -> String { String(cString: table.images[index].path) }

  /// The image that holds an address.
  func index(of address: UInt64) -> Int? {
    let index = withUnsafePointer(to: &table) { mp_image_index($0, address) }
    return index < 0 ? nil : Int(index)
  }

  /// As the report lists them: in order of their addresses, so that frames can keep the indexes.
  package var reportImages: [CrashReport.Image] {
    (0..<count).map { index in
      let image = self[index]
      return CrashReport.Image(
        base: image.base, size: image.end > image.base ? image.end - image.base : 0, buildID: image.buildID,
        path: path(index), architecture: Self.architecture(image.machine), slide: image.bias)
    }
  }

  /// Apple's word for an ELF machine (`e_machine`, gABI chapter 4).
  private static func architecture(_ machine: UInt16) -> String {
    switch machine {
    case 62: "x86_64"
    case 183: "arm64"
    case 3: "i386"
    case 40: "arm"
    case 0: CrashReport.thisArchitecture
    default: "machine-\(machine)"
    }
  }
}

extension ImageList {
  /// The build ID of an image's file, as those of the images are written; nil where it has none.
  static func buildID(of file: Bytes) -> String? {
    (try? ELFImage(file))?.buildID?.description
  }
}

extension mp_image {
  var buildID: String {
    withUnsafeBytes(of: build_id) { $0.prefix(Int(build_id_length)).hexadecimal }
  }
}

extension CrashReport {
  static var thisArchitecture: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "arm64"
    #else
      "unknown"
    #endif
  }
}
