package import MPaaSSupport

/// The reason why bytes are not an object file that we read.
package enum ObjectError: Error, Sendable, Equatable {
  case elf(ELFError)
  case machO(MachOError)
  case breakpad(BreakpadError)

  /// The same for a user, with the file.
  package func diagnostic(file: String) -> Diagnostic {
    switch self {
    case .elf(let error): error.diagnostic(file: file)
    case .machO(let error): error.diagnostic(file: file)
    case .breakpad(let error): error.diagnostic(file: file)
    }
  }
}

/// Files of object code and debug information in every format that we read, known by their content.
package enum ObjectFile {
  /// The bytes from a file's start that `matches` looks at.
  package static let headSize = 16

  /// Tells whether the bytes begin like one of the formats.
  package static func matches(_ bytes: Bytes) -> Bool {
    ELFHeader.matches(bytes) || MachOImage.matches(bytes) || BreakpadImage.matches(bytes)
  }

  /// The images in a file: one, or one for each architecture of a fat file.
  ///
  /// - Parameter bytes: The whole file, mapped.
  /// - Throws: `ObjectError` with the offset of the first field that cannot be true. Never empty without an error.
  package static func images(_ bytes: Bytes) throws(ObjectError) -> [any ObjectImage] {
    if MachOImage.matches(bytes) {
      do throws(MachOError) {
        return try MachOImage.images(bytes)
      } catch {
        throw .machO(error)
      }
    }
    if BreakpadImage.matches(bytes) {
      do throws(BreakpadError) { return [try BreakpadImage(bytes)] } catch { throw .breakpad(error) }
    }
    do throws(ELFError) {
      return [try ELFImage(bytes)]
    } catch {
      throw .elf(error)
    }
  }

  /// The images of the file at `path`, which may be a dSYM bundle or inside an archive (`archive.zip/folder/file`).
  ///
  /// - Parameter sparsely: Whether little of it will be read.
  package static func images(
    at path: String, sparsely: Bool = false
  ) throws(ObjectLookupError) -> [any ObjectImage] {
    let bytes: Bytes
    do throws(ContentError) {
      bytes = try FileContent.bytes(at: FileContent.objectPath(path), sparsely: sparsely)
    } catch {
      switch error {
      case .file(let error): throw .file(error)
      case .archive(let error, let archive): throw .archive(error, path: archive)
      }
    }
    do throws(ObjectError) { return try images(bytes) } catch { throw .object(error, path: path) }
  }

  /// The image of a file to use: the one for `architecture`, else for Apple's devices and newest computers, else the
  /// first.
  ///
  /// - Throws: `ObjectLookupError.noSlice` where none is for `architecture`.
  package static func choice(
    of images: [any ObjectImage], architecture: String?, path: String
  ) throws(ObjectLookupError) -> any ObjectImage {
    guard let architecture else {
      return images.first { ["arm64", "arm64e"].contains($0.architecture) } ?? images[0]
    }
    if let image = images.first(where: { $0.architecture == architecture }) { return image }
    throw .noSlice(architecture, found: images.map(\.architecture), path: path)
  }
}
