// The names that `@Entity` uses in its expansion. A type of the program that is called `Property` or `Broker` would
// hide ours, and then ours could not be named even with its module. So the macro uses names that no program has.

public typealias _BrokerIdentityDecoder = IdentityDecoder
public typealias _BrokerIdentityEncoder = IdentityEncoder
public typealias _BrokerIdentityValue = IdentityValue
public typealias _BrokerProperties<Root: Storable> = Properties<Root>
public typealias _BrokerProperty<Root: Storable> = Property<Root>
public typealias _BrokerRow = ObjectRow
public typealias _BrokerRowID = RowID
public typealias _BrokerStorable = Storable
