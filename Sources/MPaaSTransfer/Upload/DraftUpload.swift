import MPaaSSupport

/// An upload by the IETF's draft (draft-ietf-httpbis-resumable-upload).
struct DraftUpload {
  let errand: TransferErrand

  init(_ errand: TransferErrand) { self.errand = errand }

  static func version(_ number: Int) -> [(name: String, value: String)] {
    [("Upload-Draft-Interop-Version", String(number))]
  }

  func run() throws(TransferFault) { throw .protocolFault(errand.transfer.url, "draft") }
}
