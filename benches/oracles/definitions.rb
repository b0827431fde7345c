# Definitions of Ruby files, by Ruby's own parser: reads paths, prints a line of JSON for each.
require 'json'
require 'ripper'

TESTS = %w[describe context it specify feature scenario test].freeze

# Walks the result of Ripper.sexp: arrays that start with the name of a node.
class Finder
  attr_reader :found

  def initialize
    @found = []
  end

  def walk(node, rank)
    return unless node.is_a?(Array)
    return node.each { |child| walk(child, rank) } unless node[0].is_a?(Symbol)

    case node[0]
    when :class, :module then container(node, rank)
    when :sclass then walk(node[2], 'member')
    when :def then add(node[1], rank)
    when :defs then add(node[3], rank)
    when :method_add_block then test(node) || walk(node[1..], nil)
    else walk(node[1..], rank)
    end
  end

  private

  def container(node, rank)
    add(node[1].last, rank)
    inner = rank.nil? ? nil : (node[0] == :module && rank == 'top' ? 'top' : 'member')
    walk(node.last, inner)
  end

  # Definitions in blocks are not reported.
  def add(token, rank)
    @found << { name: token[1], line: token[2][0], rank: rank } unless rank.nil?
  end

  def test(node)
    call, block = node[1], node[2]
    command = call[0] == :command ? call : (call[0] == :method_add_arg && call[1][0] == :fcall ? call[1] : nil)
    token = command && command[1]
    return false unless token && TESTS.include?(token[1])

    first = string(call[2])
    @found << { name: first, line: token[2][0], rank: 'test' } if first
    walk(block, nil)
    true
  end

  # Returns the text of a first argument that is a single plain string.
  def string(arguments)
    return nil unless arguments.is_a?(Array)
    return string(arguments[1]) if %i[args_add_block arg_paren].include?(arguments[0])
    return string(arguments[0]) unless arguments[0].is_a?(Symbol)
    return nil unless arguments[0] == :string_literal && arguments[1].length == 2

    content = arguments[1][1]
    content[1] if content[0] == :@tstring_content
  end
end

$stdin.read.split("\n").each do |path|
  tree = Ripper.sexp(File.read(path))
  if tree.nil?
    puts 'null'
    next
  end
  finder = Finder.new
  finder.walk(tree, 'top')
  puts JSON.generate(finder.found)
rescue ArgumentError, Encoding::UndefinedConversionError, JSON::GeneratorError
  puts 'null'
end
