// The names that `@Entity` writes. A type of the program that is called `Property` or `Broker` hides ours, and a module
// cannot be named where it has a type of its name; so the macro has names that nobody else has.

public typealias _BrokerIdentityDecoder = IdentityDecoder
public typealias _BrokerIdentityEncoder = IdentityEncoder
public typealias _BrokerIdentityValue = IdentityValue
public typealias _BrokerProperties<Root: Storable> = Properties<Root>
public typealias _BrokerProperty<Root: Storable> = Property<Root>
public typealias _BrokerRow = ObjectRow
public typealias _BrokerRowID = RowID
public typealias _BrokerStorable = Storable
