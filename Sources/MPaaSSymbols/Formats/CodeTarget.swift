package import MPaaSSupport

/// The machines that the code of a program, library or library of object files is for.
package struct CodeTarget: Sendable, Hashable {
  package let format: ObjectFormat
  /// As `uname -m` or Apple's `arch` names it.
  package let architecture: String
  /// The build of Mach-O code; nil where the code does not say.
  package let build: MachOBuild?

  /// The targets of the code in a file: one for each image, and for each kind of object file in a library of them.
  ///
  /// - Parameter bytes: The whole file.
  /// - Throws: `ObjectError` where it is no file of code. Empty for a library without code.
  package static func all(in bytes: Bytes) throws(ObjectError) -> Set<CodeTarget> {
    if StaticLibrary.matches(bytes) { return members(of: bytes) }
    guard MachOFat.matches(bytes.buffer) else { return Set(try ObjectFile.images(bytes).flatMap(targets)) }
    var all: Set<CodeTarget> = []
    do throws(MachOError) {
      for slice in try MachOFat.slices(bytes) {
        if StaticLibrary.matches(slice.bytes) {
          all.formUnion(members(of: slice.bytes))
        } else {
          all.formUnion(targets(try MachOImage(slice.bytes)))
        }
      }
    } catch {
      throw .machO(error)
    }
    return all
  }

  /// The targets of a library; members that are no object files, as bitcode is none, do not count.
  private static func members(of bytes: Bytes) -> Set<CodeTarget> {
    var all: Set<CodeTarget> = []
    for member in StaticLibrary(bytes).members where ObjectFile.matches(member.bytes) {
      guard let images = try? ObjectFile.images(member.bytes) else { continue }
      all.formUnion(images.flatMap(targets))
    }
    return all
  }

  private static func targets(_ image: any ObjectImage) -> [CodeTarget] {
    let builds = (image as? MachOImage)?.builds ?? []
    let known: [MachOBuild?] = builds.isEmpty ? [nil] : builds
    return known.map { CodeTarget(format: image.format, architecture: image.architecture, build: $0) }
  }
}
