import MPaaSCodeSignature
import MPaaSSupport
import MPaaSSymbols

extension ScanWalk {
  func machO(_ bytes: Bytes, _ path: String) {
    guard MachOFat.matches(bytes.buffer) else { return machO(bytes, path, at: 0) }
    do throws(MachOError) {
      var taken: [Range<UInt64>] = []
      for slice in try MachOFat.slices(bytes) {
        let range = slice.offset..<slice.offset + UInt64(slice.bytes.count)
        guard !taken.contains(where: { $0.overlaps(range) }) else {
          add(.malformed, ScanPlace(path, offset: slice.offset), "slices overlap")
          continue
        }
        taken.append(range)
        if StaticLibrary.matches(slice.bytes) {
          library(slice.bytes, path, at: slice.offset)
        } else {
          machO(slice.bytes, path, at: slice.offset)
        }
      }
    } catch {
      add(.malformed, ScanPlace(path, offset: error.offset), error.code.rawValue)
    }
  }

  func machO(_ bytes: Bytes, _ path: String, at offset: UInt64) {
    do throws(MachOError) {
      let image = try MachOImage(bytes)
      let place = ScanPlace(path, architecture: image.architecture, offset: offset == 0 ? nil : offset)
      let facts = MachOFacts(image, signature: signature(of: image, place, at: offset))
      report.findings += MachOFindings(facts: facts, place: place).all
      keep(.machO(facts), bytes, path, at: offset, faults: image.faults)
      if secretsLeft > 0, let secrets { take(secrets: secrets.findings(in: image, at: offset, place), place) }
    } catch {
      add(.malformed, ScanPlace(path, offset: offset + error.offset), error.code.rawValue)
    }
  }

  /// The judgement of a signature; nil where there is none, or it cannot be read.
  private func signature(of image: MachOImage, _ place: ScanPlace, at offset: UInt64) -> SignatureCheck? {
    guard let blob = image.codeSignature else { return nil }
    do throws(CodeSignatureError) {
      var surroundings = seals.lazy.compactMap { $0.surroundings(of: place.path) }.first
      // A tool without a bundle has its list inside.
      if surroundings == nil, let list = image.section("__TEXT", "__info_plist") {
        surroundings = SignatureCheck.Surroundings(infoPlist: list.bytes)
      }
      var around = surroundings ?? SignatureCheck.Surroundings()
      around.anchors = anchors
      let check = SignatureCheck(
        try CodeSignature(slice: image.bytes, offset: blob.offset, size: blob.size), with: around)
      for seal in seals { seal.take(check, of: place.path) }
      for finding in check.findings + check.entitlementFindings() {
        report.findings.append(ScanFinding(finding, place, from: offset))
      }
      return check
    } catch {
      let place = ScanPlace(place.path, architecture: place.architecture, offset: offset &+ error.offset)
      add(.malformed, place, "code signature: \(error.code.rawValue)")
      return nil
    }
  }

  func elf(_ bytes: Bytes, _ path: String, at offset: UInt64) {
    do throws(ELFError) {
      let image = try ELFImage(bytes)
      let facts = ELFFacts(image)
      let place = ScanPlace(path, architecture: facts.architecture, offset: offset == 0 ? nil : offset)
      report.findings += ELFFindings(facts: facts, place: place).all
      keep(.elf(facts), bytes, path, at: offset, faults: image.faults)
      if secretsLeft > 0, let secrets { take(secrets: secrets.findings(in: image, at: offset, place), place) }
    } catch {
      add(.malformed, ScanPlace(path, offset: offset &+ error.offset), error.code.rawValue)
    }
  }

  private func keep(
    _ facts: ScannedImage.Facts, _ bytes: Bytes, _ path: String, at offset: UInt64, faults: [ImageFault]
  ) {
    guard report.images.count < limits.images else { return }
    let image = ScannedImage(path: path, offset: offset, size: UInt64(bytes.count), facts: facts)
    report.images.append(image)
    for fault in faults.prefix(limits.malformed) {
      let (place, overflow) = offset.addingReportingOverflow(fault.offset)
      add(
        .malformed, ScanPlace(path, architecture: image.architecture, offset: overflow ? .max : place), fault.reason)
    }
  }

  func library(_ bytes: Bytes, _ path: String, at offset: UInt64) {
    let library = StaticLibrary(bytes)
    for member in library.members {
      let inner = path + "/" + member.name
      switch ContentKind(member.bytes.buffer.prefix(16)) {
      case .machO: machO(member.bytes, inner, at: 0)
      case .elf: elf(member.bytes, inner, at: 0)
      default: break
      }
    }
    if let damage = library.damage { add(.malformed, ScanPlace(path, offset: offset + damage), "ar") }
  }
}
