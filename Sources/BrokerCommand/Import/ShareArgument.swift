import ArgumentParser
import Mapping

extension ImportShare: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
