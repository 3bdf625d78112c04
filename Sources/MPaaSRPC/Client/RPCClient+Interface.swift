public import MPaaSFramework

extension RPCConfiguration {
  /// Reads the settings that an app has for an environment: `GatewayConfig.plist`, the user's choice, the timeout, and
  /// whether calls are signed.
  ///
  /// - Throws: `FrameworkError` `gateway-section-missing`, `gateway-address-malformed`.
  public init(_ interface: some MPaaSAppInterface, for environment: AppEnvironment) throws(FrameworkError) {
    self.init()
    apply(try interface.gatewaySettings(for: environment))
    timeout = interface.rpcTimeout
    signs = interface.signsRPC
    if let appKey = interface.appKey { headers["AppId"] = appKey }
    if let workspace = interface.workspaceID { headers["WorkspaceId"] = workspace }
    headers["Version"] = interface.productVersion
    // Builds of developers may speak with a gateway on their own machine.
    allowsCleartext = environment == .development
  }

  /// Reads the gateway of a section of `GatewayConfig.plist`.
  public init(_ settings: GatewaySettings) {
    self.init()
    apply(settings)
  }

  private mutating func apply(_ settings: GatewaySettings?) {
    gateway = settings?.rpcGateway
    etagGateway = settings?.rpcETagURL
    if let product = settings?.rpcProductID { headers["productId"] = product }
  }
}

extension RPCClient.Parts {
  /// The parts that an app's interface names: the session of its user, and its interceptor as the innermost layer.
  public init(_ interface: some MPaaSAppInterface, transport: RPCTransport, signer: (any RPCSigner)? = nil) {
    self.init(transport: transport)
    self.signer = signer
    if let interceptor = interface.commonInterceptor {
      middleware = [RPCInterceptorMiddleware(interceptor)]
    }
    session = {
      let session = RPCSession(userID: interface.userID, sessionID: interface.sessionID)
      return session.isLoggedIn ? session : nil
    }
  }
}

extension RPCClient {
  /// The client as the transport of generated calls and of messages (`CallRequest`, `MessageHandlers.on(call:)`).
  ///
  /// Answers of any status are handed over as they came; what came to none throws `RPCError`.
  public var messageTransport: MessageTransport {
    MessageTransport { request in
      var call = RPCCall(request.method, url: request.url, body: request.body)
      call.headers = request.headers
      do throws(RPCError) {
        return MessageTransport.Response(try await self.send(call))
      } catch {
        guard let response = error.response else { throw error }
        return MessageTransport.Response(response)
      }
    }
  }
}

extension MessageTransport.Response {
  init(_ response: RPCResponse) {
    self.init(status: response.status, headers: response.headers, body: response.body)
  }
}
