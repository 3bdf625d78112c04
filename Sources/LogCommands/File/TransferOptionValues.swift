public import ArgumentParser
public import MPaaSTransfer

extension Transfer.Method: ExpressibleByArgument {}
extension Transfer.NetworkRule: ExpressibleByArgument {}
extension DeviceState.Network: ExpressibleByArgument {}
extension TransferState: ExpressibleByArgument {}
