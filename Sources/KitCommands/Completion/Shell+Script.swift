import CommandKit

extension CompletionReply.Shell {
  /// A line of every script of ours, by which an installed one is known.
  static let mark = "Completes the commands of mpaas by asking it"

  /// The script that teaches the shell to complete our commands: it asks `mpaas completion answer`.
  var script: String {
    switch self {
    case .bash: Self.bash
    case .zsh: Self.zsh
    case .fish: Self.fish
    }
  }

  // Also for bash 3.2, which Macs have: without `mapfile`, and with `compopt` only where it is.
  private static let bash = #"""
    # \#(mark): mpaas completion bash.
    _mpaas() {
      local program=${1/#\~/$HOME} line=${COMP_LINE:0:COMP_POINT} current i rest show=()
      local reply=()
      # 63 and 33: candidates are shown, not chosen one after another.
      case $COMP_TYPE in 63 | 33) show=(--columns "${COLUMNS:-80}") ;; esac
      while IFS= read -r rest; do reply+=("$rest"); done < <(
        "$program" completion answer --shell bash --breaks "$COMP_WORDBREAKS" "${show[@]}" -- "$line" 2>/dev/null
      )
      COMPREPLY=("${reply[@]:3}")
      current=${reply[2]}
      [ "${reply[1]}" != tight ] || compopt -o nospace 2>/dev/null
      case ${reply[0]} in
        files*) _mpaas_files "$current" "${reply[0]#files}" ;;
        folders)
          compopt -o filenames 2>/dev/null
          while IFS= read -r rest; do COMPREPLY+=("$rest"); done < <(compgen -d -- "$current")
          ;;
        command*) _mpaas_command "${reply[0]#command }" "$current" ;;
      esac
    }

    # Adds files with one of the extensions, and folders; where there is none, or no extension, all files.
    _mpaas_files() {
      local name pattern
      [ ${#COMPREPLY[@]} -gt 0 ] || [ -n "$2" ] || { compopt -o default 2>/dev/null && return; }
      compopt -o filenames 2>/dev/null
      for pattern in $2; do
        while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -f -X "!*.$pattern" -- "$1")
      done
      if [ -n "$2" ]; then
        while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -d -- "$1")
      fi
      [ ${#COMPREPLY[@]} -gt 0 ] && [ -n "$2" ] && return
      while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -f -- "$1")
    }

    # Completes the command that begins at a place of the line, as it is completed without mpaas before it.
    _mpaas_command() {
      local i=0 rest=$COMP_LINE word
      while [ $i -lt "$COMP_CWORD" ]; do
        rest=${rest#"${rest%%[![:space:]]*}"}
        [ $((${#COMP_LINE} - ${#rest})) -lt "$1" ] || break
        rest=${rest#"${COMP_WORDS[i]}"}
        i=$((i + 1))
      done
      if declare -F _comp_command_offset >/dev/null; then
        _comp_command_offset "$i"
      elif declare -F _command_offset >/dev/null; then
        _command_offset "$i"
      elif [ $i -eq "$COMP_CWORD" ]; then
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -c -- "$2")
      else
        compopt -o default 2>/dev/null
      fi
    }

    complete -o nosort -F _mpaas mpaas 2>/dev/null || complete -F _mpaas mpaas

    """#

  private static let zsh = #"""
    #compdef mpaas
    # \#(mark): mpaas completion zsh.
    _mpaas() {
      local program=${${(Q)words[1]}/#\~/$HOME} result=1
      local -a answer tight extensions
      answer=("${(@f)$("$program" completion answer --shell zsh -- "${(@Q)words[1,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
      (( $#answer > 1 )) || return 1
      [[ $PREFIX != --*=* ]] || compset -P 1 '*='
      [[ $answer[2] != tight ]] || tight=(-S '')
      if (( $#answer > 3 )); then
        local -a candidates=("${(@)answer[4,-1]}")
        _describe -V -t values mpaas candidates "${tight[@]}" && result=0
      fi
      case $answer[1] in
        files*)
          extensions=(${=answer[1]#files})
          if (( $#extensions )); then
            _files -g "*.(${(j:|:)extensions})(-.)" && result=0
          else
            _files && result=0
          fi
          ;;
        folders) _files -/ && result=0 ;;
        command*)
          local place=${answer[1]#command }
          words=("${(@)words[place+1,-1]}")
          (( CURRENT -= place ))
          _normal && result=0
          ;;
      esac
      return result
    }
    if [[ $funcstack[1] == _mpaas ]]; then _mpaas "$@"; else compdef _mpaas mpaas; fi

    """#

  private static let fish = #"""
    # \#(mark): mpaas completion fish.
    function __mpaas_complete
        set -l words (commandline -opc)
        set -l token (commandline -ct)
        set -l current (string unescape -- $token; or string trim --left --chars "'\"" -- $token)
        set -l program (string replace -r '^~(?=/)' -- $HOME $words[1])
        set -l answer (command $program completion answer --shell fish -- $words "$current" 2>/dev/null)
        set -q answer[2]; or return
        set -l fixed (string match -r -- '^--[^=]+=' $current)
        set -q answer[4]; and string join \n -- $answer[4..]
        switch $answer[1]
            case 'files*' folders
                set -l paths (complete -C "'' "(string escape --no-quoted -- "$answer[3]"))
                set -l extensions (string split -n ' ' -- (string replace -r '^\w+' '' -- $answer[1]))
                set -l wanted $paths
                if test $answer[1] = folders
                    set wanted (string match -r -- '^[^\t]*/(?:\t.*)?$' $paths)
                else if set -q extensions[1]
                    set wanted (string match -r -- '^[^\t]*(?:/|\.(?:'(string join '|' -- $extensions)'))(?:\t.*)?$' $paths)
                    or set wanted $paths
                end
                string join \n -- "$fixed"$wanted
            case 'command *'
                set -l place (math (string replace 'command ' '' -- $answer[1]) + 1)
                __fish_complete_subcommand --commandline (string escape -- $words[$place..]) $token
        end
    end
    complete -c mpaas -f -k -a '(__mpaas_complete)'

    """#
}
