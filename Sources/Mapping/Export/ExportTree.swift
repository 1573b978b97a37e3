import ObjectModel

extension ExportPlan {
  /// Key paths, put together to a tree.
  struct Tree {
    /// Whether paths from here on begin with places in a list; nil until the first tells.
    private var isList: Bool?
    private var order: [JSONKeyPath.Step] = []
    private var children: [JSONKeyPath.Step: Tree] = [:]
    private var content: Content?
    private var gathered: [GatheredMember] = []

    init(isList: Bool? = nil) {
      self.isList = isList
    }

    mutating func add(_ path: ArraySlice<JSONKeyPath.Step>, _ content: Content) {
      guard let first = path.first else {
        if self.content == nil { self.content = content }
        return
      }
      if first == .elements {
        return gathered.append(
          GatheredMember(path: path.dropFirst(), member: Member(content: content.withoutKeys)))
      }
      if isList == nil { isList = first.isPosition }
      if children[first] == nil { order.append(first) }
      children[first, default: Tree()].add(path.dropFirst(), content)
    }

    /// Whether something can be put at the end of a path. An attribute that holds whole objects has room for the values
    /// of others.
    func isFree(_ path: ArraySlice<JSONKeyPath.Step>, for new: Content) -> Bool {
      guard let first = path.first else {
        return content == nil && gathered.isEmpty && (order.isEmpty || new.holdsObjects)
      }
      if let content, !content.holdsObjects { return false }
      if first == .elements { return order.isEmpty }
      guard gathered.isEmpty, isList == nil || isList == first.isPosition else { return false }
      return children[first]?.isFree(path.dropFirst(), for: new) ?? true
    }

    /// Whether a path leads to something.
    func has(_ path: ArraySlice<JSONKeyPath.Step>) -> Bool {
      guard let first = path.first else { return true }
      return children[first]?.has(path.dropFirst()) ?? false
    }

    /// What is at this place: a property that ends here, members below, or both.
    private var whole: Content? {
      if !gathered.isEmpty, order.isEmpty, content == nil { return .gathered(gathered) }
      if order.isEmpty { return content }
      guard case .value(let column, let form)? = content, content?.holdsObjects ?? false else {
        // Any other property that ends on the way gives way to the members below.
        return .object(members)
      }
      return .wholeObject(column: column, form: form, members)
    }

    var members: Members { isList == true ? elements : Members(order.compactMap(member)) }

    private func member(_ step: JSONKeyPath.Step) -> Member? {
      children[step]?.whole.map { Member(step, content: $0) }
    }

    /// The elements of a list: those counted from its begin, with what is between them, then those from its end.
    private var elements: Members {
      let places = order.compactMap { if case .position(let place) = $0 { place } else { nil } }.sorted()
      var list: [Member] = []
      for place in places.filter({ $0 >= 0 }) {
        while list.count < place { list.append(Member(content: .gap)) }
        if let member = member(.position(place)) { list.append(member) }
      }
      for place in places.filter({ $0 < 0 }) {
        if let member = member(.position(place)) { list.append(member) }
      }
      return Members(list, isList: true)
    }
  }
}

extension JSONKeyPath.Step {
  fileprivate var isPosition: Bool {
    if case .position = self { true } else { false }
  }
}

extension ExportPlan.Content {
  /// The same for an element of a list.
  var withoutKeys: Self {
    switch self {
    case .relationship(let index, _): .relationship(index, ObjectExporter.noKeys)
    case .polymorphic(let links): .polymorphic(links.withoutKeys)
    default: self
    }
  }
}
