/// The colours and fonts of a diagram, for light and for dark pages.
enum SVGStyle {
  static let text = """
    <style>
    text { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 13px; fill: #1f2933; }
    .page { fill: #ffffff; }
    .heading { font-size: 17px; font-weight: bold; }
    .box { fill: #ffffff; stroke: #8795a1; }
    .head { fill: #e4ecf4; stroke: #8795a1; }
    .name { font-size: 15px; font-weight: bold; }
    .abstract { font-style: italic; }
    .type { fill: #66737f; }
    .link { fill: #1d4ed8; }
    .identity { font-weight: bold; }
    .key { fill: #b45309; }
    .relates { fill: none; stroke: #5b7083; stroke-width: 1.3; }
    .inherits { fill: none; stroke: #7c4d9e; stroke-width: 1.3; stroke-dasharray: 5 3; }
    .arrow { fill: #ffffff; stroke: #7c4d9e; stroke-width: 1.3; }
    .count { font-size: 11px; fill: #44525f; stroke: #ffffff; stroke-width: 3px; paint-order: stroke; }
    @media (prefers-color-scheme: dark) {
    text { fill: #e3e8ee; }
    .page { fill: #12171d; }
    .box { fill: #1b222b; stroke: #5d6b78; }
    .head { fill: #2a3644; stroke: #5d6b78; }
    .type { fill: #9aa7b4; }
    .link { fill: #8ab4ff; }
    .key { fill: #f5b565; }
    .relates { stroke: #8fa3b5; }
    .inherits { stroke: #c79ae6; }
    .arrow { fill: #12171d; stroke: #c79ae6; }
    .count { fill: #b8c4cf; stroke: #12171d; }
    }
    </style>
    """
}
