import MPaaSSupport

extension TransferErrand {
  /// Does the transfer as its method wants it.
  func perform() throws(TransferFault) {
    if !transfer.isDownload { try checkFile() }
    switch transfer.method {
    case .get: try download()
    case .tus: try TusUpload(self).run()
    case .resumable: try DraftUpload(self).run()
    case .put: try sendFile("PUT")
    case .post: try sendFile("POST")
    case .multipart: try postForm()
    case .s3: try S3Upload(self).run()
    }
  }

  /// Removes what the server has of an upload that was cancelled.
  func terminate() throws(TransferFault) {
    guard let location = record.location else { return }
    switch transfer.method {
    case .tus: try TusUpload(self).terminate(location)
    case .resumable: _ = try exchange(call("DELETE", location, DraftUpload.version(8)))
    case .s3: try S3Upload(self).abort()
    case .get, .put, .post, .multipart: break
    }
  }

  /// Looks whether the file is the one that was added; an upload of parts of two versions would be neither.
  func checkFile() throws(TransferFault) {
    guard let mark = FileMark(transfer.file) else {
      throw TransferFault(FileError(.open, transfer.file, .noSuchFileOrDirectory))
    }
    let known: String?
    do throws(TransferError) {
      known = try queue.with { [id] store throws(TransferError) in try store.mark(id) }
    } catch {
      throw .lasting(error)
    }
    if let known, known != mark.text { throw .lasting(TransferError(.fileChanged, ["path": transfer.file])) }
  }

  var size: UInt64 { UInt64(clamping: record.size ?? 0) }

  /// Keeps what the server answered last.
  func keep(_ reply: HTTPReply) throws(TransferFault) {
    try note { record in
      record.status = reply.status
      record.answer = reply.body.count <= 1 << 16 ? reply.text : nil
    }
  }
}
