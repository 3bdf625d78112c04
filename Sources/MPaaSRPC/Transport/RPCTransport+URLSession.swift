#if canImport(ObjectiveC)
  import MPaaSSupport

  public import Foundation
  #if canImport(FoundationNetworking)
    public import FoundationNetworking
  #endif
  #if canImport(Security)
    import MPaaSDigests
    import Security
  #endif

  extension RPCTransport {
    /// The transport of Apple's systems, with HTTP/2 and HTTP/3 where the server speaks them.
    ///
    /// Contents that the system decompresses by itself come without `content-encoding`.
    ///
    /// - Parameters:
    ///   - userAgent: The name of the app for servers.
    ///   - configuration: The configuration of the session; cookies and the system's cache are left out by default.
    public static func urlSession(
      userAgent: String, configuration: URLSessionConfiguration = .ephemeral
    ) -> RPCTransport {
      configuration.urlCache = nil
      configuration.httpAdditionalHeaders = ["User-Agent": userAgent]
      let exchanges = SessionExchanges()
      let session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
      return RPCTransport { request throws(RPCError) in
        try await exchanges.send(request, in: session)
      }
    }
  }

  /// The calls of a session that are on their way.
  private final class SessionExchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // `@unchecked Sendable`: the table is used under its lock alone.
    private let lock = NSLock()
    private var exchanges: [Int: SessionExchange] = [:]

    func send(_ request: RPCTransport.Request, in session: URLSession) async throws(RPCError) -> RPCTransport.Response {
      guard let url = URL(string: request.url) else {
        throw RPCError(.addressMalformed, ["address": request.url])
      }
      var wanted = URLRequest(url: url)
      wanted.httpMethod = request.method
      wanted.timeoutInterval = Double(request.timeout.nanoseconds) / 1e9
      for (name, value) in request.headers { wanted.setValue(value, forHTTPHeaderField: name) }
      if let body = request.body { wanted.httpBody = Data(body) }
      let task = session.dataTask(with: wanted)
      let timer = Task {
        try await Task.sleep(for: request.timeout)
        self.end(task, RPCError(.timedOut))
      }
      defer { timer.cancel() }
      let result: Result<RPCTransport.Response, RPCError> = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let exchange = SessionExchange(request, continuation)
          lock.withLock { exchanges[task.taskIdentifier] = exchange }
          task.resume()
        }
      } onCancel: {
        end(task, RPCError(.cancelled))
      }
      return try result.get()
    }

    private func end(_ task: URLSessionTask, _ error: RPCError) {
      lock.withLock { exchanges[task.taskIdentifier]?.reason = error }
      task.cancel()
    }

    private func exchange(_ task: URLSessionTask) -> SessionExchange? {
      lock.withLock { exchanges[task.taskIdentifier] }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
      totalBytesExpectedToSend: Int64
    ) {
      exchange(task)?.request.sent?(UInt64(max(totalBytesSent, 0)), UInt64(max(totalBytesExpectedToSend, 0)))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      guard let exchange = exchange(dataTask) else { return }
      exchange.body += data
      guard exchange.body.count <= exchange.request.answerLimit else {
        return end(dataTask, RPCError(.tooLarge, ["limit": String(exchange.request.answerLimit)]))
      }
      let expected = dataTask.countOfBytesExpectedToReceive
      exchange.request.received?(UInt64(exchange.body.count), expected > 0 ? UInt64(expected) : nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      guard let exchange = lock.withLock({ exchanges.removeValue(forKey: task.taskIdentifier) }) else { return }
      exchange.finish(task.response as? HTTPURLResponse, error)
    }

    #if canImport(Security) && !canImport(FoundationNetworking)
      func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
      ) {
        let space = challenge.protectionSpace
        guard space.authenticationMethod == NSURLAuthenticationMethodServerTrust,
          let pins = exchange(task)?.request.pins, !pins.isEmpty
        else { return completionHandler(.performDefaultHandling, nil) }
        guard let trust = space.serverTrust, SecTrustEvaluateWithError(trust, nil),
          let key = SecTrustCopyKey(trust), PublicKeyPin.of(key).map({ pins.contains($0) }) == true
        else {
          lock.withLock { exchanges[task.taskIdentifier]?.reason = RPCError(.notTrusted, ["reason": "pin"]) }
          return completionHandler(.cancelAuthenticationChallenge, nil)
        }
        completionHandler(.useCredential, URLCredential(trust: trust))
      }
    #endif
  }

  /// A call on its way.
  private final class SessionExchange {
    let request: RPCTransport.Request
    private let continuation: CheckedContinuation<Result<RPCTransport.Response, RPCError>, Never>
    var body: [UInt8] = []
    var reason: RPCError?

    init(
      _ request: RPCTransport.Request,
      _ continuation: CheckedContinuation<Result<RPCTransport.Response, RPCError>, Never>
    ) {
      self.request = request
      self.continuation = continuation
    }

    func finish(_ response: HTTPURLResponse?, _ error: (any Error)?) {
      if let reason { return continuation.resume(returning: .failure(reason)) }
      guard error == nil, let response else {
        return continuation.resume(returning: .failure(Self.failure(error)))
      }
      var headers: [String: String] = [:]
      for (name, value) in response.allHeaderFields { headers["\(name)".lowercased()] = "\(value)" }
      // The system has undone these already.
      if let coding = headers["content-encoding"], ["gzip", "br", "deflate"].contains(coding) {
        headers["content-encoding"] = nil
        headers["content-length"] = nil
      }
      continuation.resume(
        returning: .success(RPCTransport.Response(status: response.statusCode, headers: headers, body: body)))
    }

    private static func failure(_ error: (any Error)?) -> RPCError {
      let reason = error.map { "\($0)" } ?? "no answer"
      switch (error as? URLError)?.code {
      case .timedOut: return RPCError(.timedOut)
      case .cancelled: return RPCError(.cancelled)
      case .badURL, .unsupportedURL: return RPCError(.addressMalformed, ["address": reason])
      case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected:
        return RPCError(.notTrusted, ["reason": reason])
      default: return RPCError(.unreachable, ["reason": reason])
      }
    }
  }

  #if canImport(Security) && !canImport(FoundationNetworking)
    /// The pin of a public key: SHA-256 of its SubjectPublicKeyInfo in Base64, as libcurl has it.
    private enum PublicKeyPin {
      /// The beginnings of a SubjectPublicKeyInfo, which the system leaves out, by kind and size of the key.
      private static let heads: [String: String] = [
        "73-256": "3059301306072a8648ce3d020106082a8648ce3d030107034200",
        "73-384": "3076301006072a8648ce3d020106052b81040022036200",
        "42-2048": "30820122300d06092a864886f70d01010105000382010f00",
        "42-3072": "308201a2300d06092a864886f70d01010105000382018f00",
        "42-4096": "30820222300d06092a864886f70d01010105000382020f00",
      ]

      static func of(_ key: SecKey) -> String? {
        guard let attributes = SecKeyCopyAttributes(key) as? [String: Any],
          let kind = attributes[kSecAttrKeyType as String], let size = attributes[kSecAttrKeySizeInBits as String],
          let head = heads["\(kind)-\(size)"].flatMap({ [UInt8](hexadecimal: $0) }),
          let bytes = SecKeyCopyExternalRepresentation(key, nil) as Data?
        else { return nil }
        return Base64.encode((head + bytes).sha256)
      }
    }
  #endif
#endif
