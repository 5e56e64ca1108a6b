/// A shell that has completions.
enum CompletionShell: String, CaseIterable {
  case bash
  case zsh
  case fish

  /// The script that defines the completions of a tool. It asks the tool for all of them, so it need not know them.
  func script(for tool: String) -> String {
    let function = "_" + String(tool.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }) + "_complete"
    let text =
      switch self {
      case .bash: Self.bashScript
      case .zsh: Self.zshScript
      case .fish: Self.fishScript
      }
    return text.replacing("{function}", with: function).replacing(Tool.mark, with: tool)
  }

  // The tool quotes the words, and adds the spaces.
  private static let bashScript = #"""
    # Completions of {tool} for bash, from “{tool} completions bash”.
    {function}() {
      COMPREPLY=()
      local word tool=${COMP_WORDS[0]}
      while IFS= read -r word; do
        COMPREPLY+=("$word")
      done < <("${tool/#\~\//$HOME/}" complete bash "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null </dev/null)
    }
    complete -o nospace -o nosort -F {function} {tool} 2>/dev/null || complete -o nospace -F {function} {tool}

    """#

  private static let zshScript = #"""
    #compdef {tool}
    # Completions of {tool} for zsh, from “{tool} completions zsh”.
    {function}() {
      local tool=${(Q)words[1]} line value help kind
      local -a lines finished unfinished
      lines=("${(@f)$("${tool/#\~\//$HOME/}" complete zsh "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null </dev/null)}")
      [[ $PREFIX == --*=* ]] && compset -P '*='
      for line in "${lines[@]}"; do
        case $line in
          ':files')
            _files
            continue;;
          ':files '*)
            _files -g "*.(${${line#:files }// /|})(-.)" || _files
            continue;;
          ':folders')
            _files -/
            continue;;
          '') continue;;
        esac
        kind=${line[1]} line=${line[2,-1]}
        value=${line%%$'\t'*} help=
        [[ $line == *$'\t'* ]] && help=${${line#*$'\t'}//\\/\\\\}
        value=${${value//\\/\\\\}//:/\\:}${help:+:$help}
        if [[ $kind == - ]]; then unfinished+=("$value"); else finished+=("$value"); fi
      done
      local -a matching=(-M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}')
      (( $#finished )) && _describe -V 'completion' finished "${matching[@]}"
      (( $#unfinished )) && _describe -V 'completion' unfinished "${matching[@]}" -S ''
      return 0
    }
    if [[ ${funcstack[1]} == _{tool} ]]; then {function} "$@"; else compdef {function} {tool}; fi

    """#

  private static let fishScript = #"""
    # Completions of {tool} for fish, from “{tool} completions fish”.
    function {function}
        set -l words (commandline -opc)
        set -l tool $words[1]
        set -e words[1]
        command $tool complete fish $words (commandline -ct) 2>/dev/null </dev/null
    end
    complete -c {tool} -f -a '({function})' -k

    """#
}
