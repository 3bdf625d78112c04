public import ArgumentParser
public import MPaaSRPC
public import MPaaSSigning

extension RPCConfiguration.Wire: ExpressibleByArgument {}
extension RPCContentCoding: ExpressibleByArgument {}
extension SigningAlgorithm: ExpressibleByArgument {}
