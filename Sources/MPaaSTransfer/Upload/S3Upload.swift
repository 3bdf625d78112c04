import MPaaSSupport

struct S3Upload {
  let errand: TransferErrand
  init(_ errand: TransferErrand) { self.errand = errand }
  func run() throws(TransferFault) { throw .protocolFault(errand.transfer.url, "s3") }
  func abort() throws(TransferFault) {}
}
