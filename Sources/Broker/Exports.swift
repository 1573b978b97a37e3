// `import Broker` brings all of `BrokerCore`, and the macros.
@_exported public import BrokerCore
